// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// One QR code as zxing-cpp read it.
struct czxing_symbol {
    /// Where its bytes are among all payloads.
    size_t offset;
    size_t length;
    /// The corners, clockwise from the one at the symbol's upper left.
    int32_t x[4];
    int32_t y[4];
    /// The place in a structured-append set (from 0) and the set's size; both -1 for an undivided code.
    int32_t part;
    int32_t parts;
    /// The set's parity byte.
    int32_t parity;
    /// Whether the symbol is a mirror image.
    int32_t is_mirrored;
};

enum czxing_binarizer {
    /// Compares each pixel with its neighbourhood.
    CZXING_LOCAL_AVERAGE,
    /// One threshold for the whole picture.
    CZXING_GLOBAL_HISTOGRAM,
    /// The picture is black and white already.
    CZXING_BLACK_AND_WHITE
};

/// Reads the QR codes of a grey picture. `tries_more` adds turned and shrunken copies of it.
///
/// Symbols beyond `capacity`, and those whose bytes do not fit, are left out.
/// Returns how many were written, or -1 when the library failed, for want of memory for example.
int czxing_read(
    const uint8_t *luma, int width, int height, int stride, enum czxing_binarizer binarizer,
    int tries_more, struct czxing_symbol *symbols, int capacity, uint8_t *payloads, size_t payload_capacity);

#ifdef __cplusplus
}
#endif
