// SPDX-License-Identifier: Apache-2.0

// From luma frames to QR symbols, by zxing-cpp and zbar, and hints where there are none.
// It must not know where frames come from or what a symbol is used for.
// No Foundation: this is linked into the scanner's process, which is confined and holds no secret.
