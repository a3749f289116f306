// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// One file of a data set. Other readers of a manifest use further members.
struct ManifestEntry: Decodable, Equatable {
    /// The path relative to the manifest's folder.
    var file: String
    var category: String
    var kind: String
    var rule: EntryRule
    /// The texts in view.
    var texts: [String]
    /// The layout of a file without a header.
    var pixelFormat: String?
    var width: Int?
    var height: Int?
    var stride: Int?
    /// The exact bytes of the only code in view, if a text cannot represent them.
    var bytesHex: String?
    /// In a sequence, the first frame in which any reference reads the code.
    var firstDecodable: Int?

    enum CodingKeys: String, CodingKey {
        case file, category, kind, texts, width, height, stride
        case rule = "expect"
        case pixelFormat = "pixel_format"
        case bytesHex = "bytes_hex"
        case firstDecodable = "first_decodable"
    }

    /// The file's first folder, by which totals are counted.
    var folder: String { file.firstIndex(of: "/").map { String(file[..<$0]) } ?? "." }
    var isSequence: Bool { file.hasSuffix(".mjpeg") }
    /// Whether it is a photograph. Decoders and people labelled its texts, so that there may be further codes, and
    /// white space at a text's end is ignored.
    var isPhotograph: Bool { kind == "real" }

    var bytes: [UInt8]? {
        guard let digits = bytesHex?.compactMap(\.hexDigitValue), digits.count == bytesHex?.count,
            digits.count.isMultiple(of: 2)
        else { return nil }
        return Swift.stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    var layout: RawLayout? {
        guard let pixelFormat, let width, let height else { return nil }
        return RawLayout(pixelFormat: pixelFormat, width: width, height: height, stride: stride)
    }

    /// - Throws: the fault in it.
    func check(at place: String) throws(ManifestError) {
        let steps = file.split(separator: "/", omittingEmptySubsequences: false)
        guard !file.utf8.contains(0), !steps.contains(where: { $0.isEmpty || $0 == ".." }) else {
            throw ManifestError(
                place: place, problem: "\"file\" leads out of the manifest's folder",
                remedy: "give a path below that folder")
        }
        if rule.asksForText && texts.isEmpty {
            throw ManifestError(place: place, problem: "expects a text and has none", remedy: "give it in \"texts\"")
        }
        if bytesHex != nil && bytes == nil {
            throw ManifestError(
                place: place, problem: "\"bytes_hex\" is not hexadecimal", remedy: "give two digits a byte")
        }
        guard let pixelFormat else { return }
        let sides = 1...Frame.maximumSide
        guard let width, let height, sides.contains(width), sides.contains(height) else {
            throw ManifestError(
                place: place, problem: "has a \"pixel_format\" without a possible width and height",
                remedy: "give both, from 1 to \(Frame.maximumSide)")
        }
        guard let layout else {
            throw ManifestError(
                place: place, problem: "has the unknown \"pixel_format\" \(pixelFormat)",
                remedy: "give YUYV, UYVY, GREY, NV12, NV21 or YU12")
        }
        guard (width * layout.step...Frame.maximumSide * 4).contains(layout.stride) else {
            throw ManifestError(
                place: place, problem: "has a \"stride\" of \(layout.stride) bytes",
                remedy: "give at least what a row of \(width) pixels needs")
        }
    }
}

/// The rule for a picture, the manifest's `expect`.
enum EntryRule: String, Decodable {
    /// One of the texts must be read.
    case text
    /// All of the texts must be read.
    case multiple
    /// The texts may be read, but none may lead to a login.
    case reject
    /// No text may be read.
    case none
    /// A damaged frame: only the texts may be read.
    case noneOrText = "none-or-text"

    /// Whether a text of the entry must be read.
    var asksForText: Bool { self == .text || self == .multiple }
}
