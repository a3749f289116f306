// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

extension Picture {
    /// Reads a PNG or JPEG file's bytes; the bytes decide the format, not a name.
    ///
    /// Colours become luma; transparent pixels lie on white, as on a page.
    /// - Parameter place: the file's path or address, for the error.
    public init(decoding bytes: [UInt8], from place: String) throws(FrameSourceError) {
        var isFlawed = false
        try self.init(decoding: bytes, from: place, isFlawed: &isFlawed)
    }

    /// - Parameter isFlawed: becomes true for a file that breaks a rule of its format but is a whole picture.
    init(decoding bytes: [UInt8], from place: String, isFlawed: inout Bool) throws(FrameSourceError) {
        isFlawed = false
        switch bytes.prefix(3) {
        case [0x89, 0x50, 0x4E]: self = try Picture(png: bytes, from: place)
        case [0xFF, 0xD8, 0xFF]: self = try Picture(jpeg: bytes, from: place, isFlawed: &isFlawed)
        default:
            if let kind = ForeignPicture(bytes) { throw kind.refusal(at: place) }
            throw FrameSourceError(
                .unsupportedFormat, at: place, problem: bytes.isEmpty ? "is empty" : "is not a supported picture",
                remedy: "give a PNG or JPEG picture")
        }
    }

    /// Refuses sizes before memory is taken for them.
    static func check(width: Int, height: Int, from place: String) throws(FrameSourceError) {
        guard width > 0, height > 0 else {
            throw FrameSourceError(
                .malformed, at: place, problem: "has no pixels", remedy: "give a picture of at least 1 x 1")
        }
        guard width <= Frame.maximumSide, height <= Frame.maximumSide else {
            throw FrameSourceError(
                .tooLarge, at: place, problem: "measures \(width) x \(height) pixels",
                remedy: "give at most \(Frame.maximumSide) x \(Frame.maximumSide)")
        }
    }
}
