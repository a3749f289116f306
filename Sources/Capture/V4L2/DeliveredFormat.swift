// SPDX-License-Identifier: Apache-2.0

/// What a driver has agreed to deliver.
struct DeliveredFormat: Sendable, Equatable {
    var code: PixelCode
    /// Pixels in a row, and rows.
    var width: Int
    var height: Int
    /// Bytes from one row to the next; 0 for a compressed picture.
    var bytesPerLine: Int
    /// The largest frame, in bytes.
    var size: Int
}
