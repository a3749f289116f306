// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// The first line of a YUV4MPEG2 stream (mjpegtools, `yuv4mpeg(5)`).
struct Y4MHeader: Equatable {
    /// The longest line that is read, header or frame: programs write comments of their own.
    static let maximumLine = 4096

    static let magic = "YUV4MPEG2"

    var width: Int
    var height: Int
    /// Frames a second; nil when the header does not say.
    var rate: Double?
    /// The number of luma pixels that share a pixel of colour, across and down; nil for grey.
    var sharing: (across: Int, down: Int)? = (2, 2)
    /// Order of a frame's rows.
    var fields = Fields.together

    /// Bytes of luma.
    var lumaCount: Int { width * height }
    /// Bytes of colour after the luma, in two planes.
    var chromaCount: Int {
        guard let (across, down) = sharing else { return 0 }
        return 2 * ((width + across - 1) / across) * ((height + down - 1) / down)
    }

    /// Luma stands first in all of them.
    private static let layouts: [String: (across: Int, down: Int)?] = [
        "420": (2, 2), "420jpeg": (2, 2), "420mpeg2": (2, 2), "420paldv": (2, 2), "411": (4, 1), "422": (2, 1),
        "444": (1, 1), "mono": nil,
    ]

    /// Pixels that are at least that much higher than wide are those of one field.
    private static let fieldRatio = 1.6

    static func == (left: Y4MHeader, right: Y4MHeader) -> Bool {
        (left.width, left.height, left.chromaCount, left.fields)
            == (right.width, right.height, right.chromaCount, right.fields) && left.rate == right.rate
    }

    /// - Parameter line: without the line feed.
    init(line: [UInt8], from place: String) throws(FrameSourceError) {
        let words = line.split(separator: UInt8(ascii: " "))
        guard let first = words.first, first.elementsEqual(Y4MHeader.magic.utf8) else {
            throw FrameSourceError(
                .unsupportedFormat, at: place, problem: "is not a Y4M stream",
                remedy: "give YUV4MPEG2, such as ffmpeg writes")
        }
        var width: Int?
        var height: Int?
        for word in words.dropFirst() {
            let value = String(decoding: word.dropFirst(), as: UTF8.self)
            switch word.first {
            case UInt8(ascii: "W"): width = Int(value)
            case UInt8(ascii: "H"): height = Int(value)
            case UInt8(ascii: "F"): rate = Self.rate(value)
            case UInt8(ascii: "C"):
                guard let layout = Self.layouts[value] else {
                    throw FrameSourceError(
                        .unsupportedFormat, at: place,
                        problem: "is Y4M of a colour layout that is not read here (C\(value.prefix(16)))",
                        remedy: "write it with -pix_fmt gray, yuv420p, yuv422p, yuv444p or yuv411p")
                }
                sharing = layout
            case UInt8(ascii: "I") where ["t", "b", "m"].contains(value): fields = .woven
            case UInt8(ascii: "A"):
                if let shape = Self.ratio(value), 1 / shape >= Self.fieldRatio { fields = .alone }
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
    }

    private static func rate(_ text: String) -> Double? {
        ratio(text).flatMap { Playback.rates.contains($0) ? $0 : nil }
    }

    /// - Parameter text: two numbers above zero with a colon between them.
    private static func ratio(_ text: String) -> Double? {
        let parts = text.split(separator: ":").compactMap { Double($0) }
        guard parts.count == 2, parts[0] > 0, parts[1] > 0 else { return nil }
        return parts[0] / parts[1]
    }
}
