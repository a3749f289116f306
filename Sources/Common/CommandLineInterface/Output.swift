// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
public import Foundation
import LinuxSystem

/// Standard output of a command whose work is what it prints: it ends when the reader has closed the pipe,
/// as in `scan | head -n 1`.
public enum Output {
    public static func write(_ text: String) throws { try check(StandardStream.output.write(text)) }

    /// - Parameter bytes: a secret, perhaps: they are kept nowhere.
    public static func write(_ bytes: [UInt8]) throws { try check(StandardStream.output.write(bytes)) }

    /// Empties the buffer that `print` writes to. A command whose words were lost on a full disk has not done its work.
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
    public static func write(_ document: some Encodable) throws {
        try Output.write(String(decoding: try text(of: document), as: UTF8.self) + "\n")
    }

    /// The object without the newline.
    public static func text(of document: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(document)
    }
}
