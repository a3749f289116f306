// SPDX-License-Identifier: Apache-2.0

/// One way in which a camera can deliver.
public struct CameraFormat: Sendable, Hashable, CustomStringConvertible {
    public let code: PixelCode
    /// Pixels in a row, and rows.
    public let width: Int
    public let height: Int
    /// Frames a second; nil when the driver does not say.
    public let rate: Double?

    public init(_ code: PixelCode, width: Int, height: Int, rate: Double? = nil) {
        self.code = code
        self.width = width
        self.height = height
        self.rate = rate
    }

    init(_ delivered: DeliveredFormat) {
        self.init(delivered.code, width: delivered.width, height: delivered.height)
    }

    public var description: String {
        "\(code) \(width) x \(height)" + (rate.map { " at \(Double(Int(($0 * 10).rounded())) / 10)" } ?? "")
    }
}

/// The format that a driver has agreed to deliver.
struct DeliveredFormat: Sendable, Equatable {
    var code: PixelCode
    /// Pixels in a row, and rows.
    var width: Int
    var height: Int
    /// Bytes from one row to the next; 0 for a compressed picture.
    var bytesPerLine: Int
    /// The largest frame, in bytes.
    var size: Int
    /// Order of a frame's rows.
    var fields = Fields.together
    /// The format that it was asked for; nil when that is not known.
    var asked: CameraFormat?
}
