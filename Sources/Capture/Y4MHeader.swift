// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// The first line of a YUV4MPEG2 stream (mjpegtools, `yuv4mpeg(5)`).
struct Y4MHeader: Equatable {
    /// The longest line that is read, header or frame.
    static let maximumLine = 256

    static let magic = "YUV4MPEG2"

    var width: Int
    var height: Int
    /// Frames a second; nil when the header does not say.
    var rate: Double?
    /// Whether planes of colour, a quarter of the size each, follow the luma.
    var hasChroma: Bool

    /// Bytes of luma.
    var lumaCount: Int { width * height }
    /// Bytes of colour after the luma.
    var chromaCount: Int { hasChroma ? 2 * ((width + 1) / 2) * ((height + 1) / 2) : 0 }

    /// - Parameter line: without the line feed.
    init(line: [UInt8], from place: String) throws(FrameSourceError) {
        let fields = line.split(separator: UInt8(ascii: " "))
        guard let first = fields.first, first.elementsEqual(Y4MHeader.magic.utf8) else {
            throw FrameSourceError(
                .unsupportedFormat, at: place, problem: "is no Y4M stream",
                remedy: "give YUV4MPEG2, such as ffmpeg writes")
        }
        var width: Int?
        var height: Int?
        var rate: Double?
        var hasChroma = true
        for field in fields.dropFirst() {
            let value = String(decoding: field.dropFirst(), as: UTF8.self)
            switch field.first {
            case UInt8(ascii: "W"): width = Int(value)
            case UInt8(ascii: "H"): height = Int(value)
            case UInt8(ascii: "F"): rate = Y4MHeader.rate(value)
            case UInt8(ascii: "C"):
                switch value {
                case "420", "420jpeg", "420mpeg2", "420paldv": hasChroma = true
                case "mono": hasChroma = false
                default:
                    throw FrameSourceError(
                        .unsupportedFormat, at: place, problem: "is Y4M of another colour layout than 4:2:0 or grey",
                        remedy: "write it with -pix_fmt yuv420p or gray")
                }
            default: break
            }
        }
        guard let width, let height else {
            throw FrameSourceError(
                .malformed, at: place, problem: "is Y4M without width or height", remedy: "write the stream again")
        }
        try Picture.check(width: width, height: height, from: place)
        self.width = width
        self.height = height
        self.rate = rate
        self.hasChroma = hasChroma
    }

    private static func rate(_ text: String) -> Double? {
        let parts = text.split(separator: ":")
        guard parts.count == 2, let frames = Double(parts[0]), let seconds = Double(parts[1]), seconds > 0 else {
            return nil
        }
        let rate = frames / seconds
        return Playback.rates.contains(rate) ? rate : nil
    }
}
