// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stddef.h>
#include <stdint.h>

/// Bytes of a message, with the zero at its end.
#define CJPEG_MESSAGE 200

enum cjpeg_verdict {
    /// Every block was decoded, and libjpeg had nothing to say.
    CJPEG_WHOLE,
    /// Every block was decoded, although the file breaks a rule somewhere: the message says which one.
    CJPEG_FLAWED,
    /// The file is no JPEG, is cut off, or is damaged: the message says how.
    CJPEG_BROKEN
};

/// Reads the size of a picture, without decoding it.
enum cjpeg_verdict cjpeg_size(const uint8_t *bytes, size_t count, int *width, int *height, char *message);

/// Decodes the luma of a picture.
///
/// `divisor` makes it smaller: 1, 2, 4 or 8. `target` has room for `width` times `height` bytes, which must be the sides
/// of the picture divided by `divisor` and rounded up. `is_fast` asks for speed before the last bit of precision.
enum cjpeg_verdict cjpeg_luma(
    const uint8_t *bytes, size_t count, int divisor, int is_fast, uint8_t *target, int width, int height,
    char *message);

/// Encodes a grey picture of 1 to 65500 pixels on a side, at a quality up to 100. The caller frees the result, of
/// `count` bytes.
uint8_t *cjpeg_encode(const uint8_t *luma, int width, int height, int quality, size_t *count);
