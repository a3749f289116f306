// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
public import Foundation
import LinuxSystem

/// Standard output of a command whose result is its output. The command ends when the reader has closed the pipe, as
/// in `scan | head -n 1`.
public enum Output {
    public static func write(_ text: String) throws { try check(StandardStream.output.write(text)) }

    /// - Parameter bytes: perhaps a secret; they are not kept.
    public static func write(_ bytes: [UInt8]) throws { try check(StandardStream.output.write(bytes)) }

    /// Empties the buffer of `print`. A command fails if a full disk lost its output.
    static func finish() throws {
        try check(StandardStream.flushPrinted())
    }

    private static func check(_ isWritten: Bool) throws {
        guard !isWritten else { return }
        throw Complaint.make("standard output takes no more: \(systemErrorText())", status: .ioError)
    }
}

/// Machine-readable output: one JSON object and a newline on standard output, keys sorted.
public enum JSONOutput {
    /// - Throws: also when the reader of standard output has gone.
    public static func write(
        _ document: some Encodable, keys: JSONEncoder.KeyEncodingStrategy = .useDefaultKeys
    ) throws {
        try Output.write(String(decoding: try text(of: document, keys: keys), as: UTF8.self) + "\n")
    }

    /// The object without the newline.
    public static func text(
        of document: some Encodable, keys: JSONEncoder.KeyEncodingStrategy = .useDefaultKeys
    ) throws -> Data {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = keys
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(document)
    }
}
