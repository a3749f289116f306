// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LinuxSystem

/// Standard output of a command whose work is what it prints: it ends when the reader has closed the pipe,
/// as in `scan | head -n 1`.
public enum Output {
    public static func write(_ text: String) throws {
        guard StandardStream.output.write(text) else {
            throw Complaint.make("standard output takes no more: \(systemErrorText())", status: .ioError)
        }
    }
}
