// SPDX-License-Identifier: Apache-2.0

// All conversions between bytes and text: hexadecimal, base64, base45, percent escapes, forms, JSON. The memory for
// secret bytes is here too, because texts are read from it and written to it. The module imports nothing, not even
// Foundation, because the confined scanner also links it.
