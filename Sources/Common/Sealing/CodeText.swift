// SPDX-License-Identifier: Apache-2.0

import Encoding

/// Bytes as the text of a QR code, all of it in the code's alphanumeric characters:
///
///     SCHEME:VERSION:BODY
///
/// SCHEME is the kind of text, BODY is Base45 (RFC 9285). Files contain the same text.
public struct CodeText: Sendable {
    /// The reason why a text with the right scheme has no readable body.
    public enum Problem: Error, Sendable {
        /// A later version of this program wrote it, in an unknown form.
        case newerVersion
        /// An earlier version of this program wrote it, in a form that is no longer valid.
        case olderVersion
        /// It is cut off, or this program never wrote it.
        case damaged
    }

    /// The scheme with its colon, with which every version begins.
    public let scheme: String
    public let version: Int
    /// In bytes.
    public let maximumLength: Int
    /// The number of digits that a version may have; any other text is damaged.
    private static let versionDigits = 1...4

    /// - Parameter scheme: characters of ``Base45`` without a colon.
    public init(scheme: String, version: Int, maximumLength: Int) {
        self.scheme = scheme + ":"
        self.version = version
        self.maximumLength = maximumLength
    }

    /// The bytes before the body.
    public var opening: [UInt8] { Array("\(scheme)\(version):".utf8) }

    /// - Returns: nil when it would be longer than ``maximumLength``.
    public func text(of body: [UInt8]) -> [UInt8]? {
        let text = opening + Base45.encoded(body)
        return text.count <= maximumLength ? text : nil
    }

    /// Whether a code has this scheme, of any version, whole or not.
    public func begins(_ symbol: Span<UInt8>) -> Bool {
        let scheme = Array(scheme.utf8)
        return symbol.count >= scheme.count && scheme.indices.allSatisfy { symbol[$0] == scheme[$0] }
    }

    /// Reads the body of a text of this version.
    public func body(of symbol: Span<UInt8>) throws(Problem) -> [UInt8] {
        let start = try bodyStart(of: symbol)
        guard symbol.count <= maximumLength, let body = Base45.decoded(symbol.extracting(start...)) else {
            throw .damaged
        }
        return body
    }

    /// Checks that a text has this version.
    ///
    /// - Returns: the index of its body.
    public func bodyStart(of symbol: Span<UInt8>) throws(Problem) -> Int {
        guard begins(symbol) else { throw .damaged }
        let start = scheme.utf8.count
        var end = start
        var version = 0
        while end < symbol.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(symbol[end]) {
            guard end - start < CodeText.versionDigits.upperBound else { throw .damaged }
            version = version * 10 + Int(symbol[end] - UInt8(ascii: "0"))
            end += 1
        }
        guard end < symbol.count, symbol[end] == UInt8(ascii: ":"), CodeText.versionDigits.contains(end - start) else {
            throw .damaged
        }
        guard version <= self.version else { throw .newerVersion }
        // Each version has one spelling, and there never was a version 0.
        guard symbol[start] != UInt8(ascii: "0") else { throw .damaged }
        guard version == self.version else { throw .olderVersion }
        return end + 1
    }
}
