// SPDX-License-Identifier: Apache-2.0

// Finds QR symbols in luma frames, by zxing-cpp and zbar, and gives hints when none is found. It must not know where
// frames come from or what a symbol is used for. No Foundation: this is linked into the scanner's process, which is
// confined and holds no secret.
