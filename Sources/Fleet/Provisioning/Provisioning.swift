// SPDX-License-Identifier: Apache-2.0

// How a kiosk gets what its operator wants of it, without a keyboard: a setup, signed by the operator, sealed for the
// kiosk. It must not know what settings mean, nor where a kiosk keeps them.
