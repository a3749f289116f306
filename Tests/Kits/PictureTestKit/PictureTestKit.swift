// SPDX-License-Identifier: Apache-2.0

// Pictures for tests: QR codes by libqrencode, PNG files by libpng, noise from a seed, a server
// for pages. No product uses this.
