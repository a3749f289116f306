// SPDX-License-Identifier: Apache-2.0

/// A fault of a line, or a remarkable fact about it.
public struct AuditFinding: Sendable, Equatable, CustomStringConvertible {
    public enum Kind: Sendable, Equatable {
        /// The line, or the previous line's hash in it, was changed.
        case altered
        /// The line is not one of an audit log.
        case unreadable
        /// Lines between this one and the previous one are missing, or the order was changed.
        case outOfOrder(expected: UInt64, found: UInt64)
        /// The file does not begin with the hash of the previous file's end.
        case doesNotFollow
        /// The audit log starts again, although there are older files.
        case startsAgain

        /// A power failure or a full disk cut a line off; the next line reports it.
        case cutOff(bytes: Int)
        /// This many entries could not be written.
        case missed(Int)
        /// The clock went back.
        case earlier(than: String)
        /// The last line has no end: it is being written, or was cut off.
        case unfinished
    }

    public let kind: Kind
    public let file: String
    public let lineNumber: Int

    /// `FILE:LINE: fault`.
    public var description: String { "\(file):\(lineNumber): \(text)" }

    private var text: String {
        switch kind {
        case .altered: "this line, or the hash of the line before it, was changed"
        case .unreadable: "this is not a line of an audit log"
        case .outOfOrder(let expected, let found): "number \(found) stands where \(expected) should be"
        case .doesNotFollow: "this file does not follow the one before it"
        case .startsAgain: "the audit log starts again, although there are older files"
        case .cutOff(let bytes): "\(bytes) bytes are left of what was cut off, as a line of the audit log reports"
        case .missed(let count): "\(count) entries could not be written, as a line of the audit log reports"
        case .earlier(let time): "the clock went back: the line before it has \(time)"
        case .unfinished: "the last line has no end: it is just being written, or was cut off"
        }
    }

    /// Whether the audit log was changed. The audit log itself reports the other findings.
    public var isBreach: Bool {
        switch kind {
        case .altered, .unreadable, .outOfOrder, .doesNotFollow, .startsAgain: true
        case .cutOff, .missed, .earlier, .unfinished: false
        }
    }
}
