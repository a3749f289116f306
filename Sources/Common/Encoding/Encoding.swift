// SPDX-License-Identifier: Apache-2.0

// Bytes become text here and nowhere else: hexadecimal, base64, base45, percent escapes, forms, JSON.
// It also has the memory that secret bytes lie in, since texts are read from it and written to it.
// It imports nothing, not even Foundation: the confined scanner has it, too.
