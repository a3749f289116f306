// SPDX-License-Identifier: Apache-2.0

/// One file of a data set.
struct ManifestEntry: Equatable {
    /// The path relative to the manifest's folder.
    var file: String
    var category: String
    /// Whether it is a photograph. Decoders and people labelled its texts, so that there may be further codes, and
    /// white space at a text's end does not count.
    var isPhotograph: Bool
    var rule: EntryRule
    /// The texts in view.
    var texts: [String]
    /// The exact bytes of the only code in view, if a text cannot represent them.
    var bytes: [UInt8]?
    /// The layout of a file without a header.
    var layout: RawLayout?
    /// In a sequence, the first frame in which any reference reads the code.
    var firstDecodable: Int?

    /// The file's first folder, by which totals are counted.
    var folder: String { file.firstIndex(of: "/").map { String(file[..<$0]) } ?? "." }
    var isSequence: Bool { file.hasSuffix(".mjpeg") }
}

/// The rule for a picture, the manifest's `expect`.
enum EntryRule: String, Decodable {
    /// One of the texts must be read.
    case text
    /// All of the texts must be read.
    case multiple
    /// The texts may be read, but none may lead to a login.
    case reject
    /// Nothing may be read.
    case none
    /// A damaged frame: only the texts may be read.
    case noneOrText = "none-or-text"

    /// Whether a text of the entry must be read.
    var asksForText: Bool { self == .text || self == .multiple }
}
