// SPDX-License-Identifier: Apache-2.0

/// The reason why a file is not a catalogue of sentences.
package struct SentenceFileError: Error, Hashable, CustomStringConvertible {
    enum Reason: Error, Hashable {
        case tooLong, notUTF8
        case noName, noText, moreThanText, unknownEscape, controlCharacter, textWithoutEnd, duplicate
        case missing(String), unknown(String)
    }

    let reason: Reason
    /// From 1; 0 for the file as a whole.
    let line: Int

    init(_ reason: Reason, line: Int) {
        self.reason = reason
        self.line = line
    }

    package var description: String { (line == 0 ? "" : "line \(line): ") + remedy }

    private var remedy: String {
        switch reason {
        case .tooLong: "more than \(SentenceFile.maximumLength) bytes"
        case .notUTF8: "this is not UTF-8"
        case .noName: "expected a name of letters and digits, then: \"text\""
        case .noText: "expected one colon, one space and a text in double quotes after the name"
        case .moreThanText: "nothing may follow the closing quote"
        case .unknownEscape: "a backslash stands before a quote or another backslash only"
        case .controlCharacter: "control characters are not allowed"
        case .textWithoutEnd: "the closing quote is missing"
        case .duplicate: "this name is there already"
        case .missing(let name): "\(name) is missing"
        case .unknown(let name): "no program shows \(name)"
        }
    }
}
