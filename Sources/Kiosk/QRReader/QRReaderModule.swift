// SPDX-License-Identifier: Apache-2.0

// QR codes from grey pictures, by ISO/IEC 18004: what the two libraries of the scanner do not read.
// One stage a file: binarization, finder patterns, symbol location, grid, modules, code words, segments.
// It must not know where pictures come from. No Foundation, no C, no unsafe memory.
