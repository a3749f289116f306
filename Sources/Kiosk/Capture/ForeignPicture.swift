// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Common kinds of pictures that are not read here, recognised by their first bytes.
enum ForeignPicture: String, CaseIterable {
    case heic = "HEIC"
    case avif = "AVIF"
    case webP = "WebP"
    case gif = "GIF"
    case bmp = "BMP"
    case tiff = "TIFF"
    case svg = "SVG"
    case pdf = "PDF"

    /// The suffixes of their files' names.
    static let endings = [
        ".heic", ".heif", ".avif", ".webp", ".gif", ".bmp", ".tif", ".tiff", ".svg", ".pdf",
    ]

    init?(_ bytes: [UInt8]) {
        func has(_ text: String, at place: Int = 0) -> Bool { bytes.dropFirst(place).starts(with: text.utf8) }
        let brands = ["heic", "heix", "hevc", "heim", "heis", "mif1", "msf1"]
        if has("ftypavif", at: 4) || has("ftypavis", at: 4) {
            self = .avif
        } else if has("ftyp", at: 4), brands.contains(where: { has($0, at: 8) }) {
            self = .heic
        } else if has("RIFF"), has("WEBP", at: 8) {
            self = .webP
        } else if has("GIF87a") || has("GIF89a") {
            self = .gif
        } else if has("BM") {
            self = .bmp
        } else if has("II*\0") || has("MM\0*") {
            self = .tiff
        } else if has("%PDF-") {
            self = .pdf
        } else if has("<svg") || has("<?xml") {
            self = .svg
        } else {
            return nil
        }
    }

    func refusal(at place: String) -> FrameSourceError {
        let remedy =
            switch self {
            case .heic: "save it as JPEG: heif-convert FILE.heic FILE.jpg, or set the telephone to \"most compatible\""
            case .pdf: "make a picture of its page: pdftoppm -png -r 150 FILE.pdf PAGE"
            case .svg: "make a picture of it: rsvg-convert -w 800 FILE.svg -o FILE.png"
            case .avif, .webP, .gif, .bmp, .tiff: "save it as PNG or JPEG"
            }
        return FrameSourceError(
            .unsupportedFormat, at: place, problem: "is a \(rawValue) file, which is not read here", remedy: remedy)
    }
}
