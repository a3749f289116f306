// SPDX-License-Identifier: Apache-2.0

// What ties the kiosk to the machine that it runs on: where its files are, the trust list.
// It must not know the kiosk's flow, the SDK or any hardware.
