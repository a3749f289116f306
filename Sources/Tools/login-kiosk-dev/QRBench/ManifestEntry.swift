// SPDX-License-Identifier: Apache-2.0

/// One file of a data set.
struct ManifestEntry: Equatable {
    /// Relative to the manifest's folder.
    var file: String
    var category: String
    /// Whether it is a photograph: its texts were labelled by what decoders and people agreed on, so that further codes
    /// may be in view, and white space at a text's end is not told.
    var isPhotograph: Bool
    var rule: EntryRule
    /// The texts in view.
    var texts: [String]
    /// The exact bytes of the one code in view, where a text cannot tell them.
    var bytes: [UInt8]?
    /// Of a file without a header.
    var layout: RawLayout?
    /// Of a sequence: the first frame in which any reference reads the code.
    var firstDecodable: Int?

    /// The file's first folder, by which totals are made.
    var folder: String { file.firstIndex(of: "/").map { String(file[..<$0]) } ?? "." }
    var isSequence: Bool { file.hasSuffix(".mjpeg") }
}

/// The rule that a picture's entry sets for it: the manifest's `expect`.
enum EntryRule: String, Decodable {
    /// One of the texts must be read.
    case text
    /// All of the texts must be read.
    case multiple
    /// The texts may be read, and none of them may become a login.
    case reject
    /// Nothing may be read.
    case none
    /// A damaged frame: nothing but the texts may be read.
    case noneOrText = "none-or-text"

    /// Whether an entry counts among those that are to be read.
    var asksForText: Bool { self == .text || self == .multiple }
}
