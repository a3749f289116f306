// SPDX-License-Identifier: Apache-2.0

/// The state of a scanner process.
public enum ScannerHealth: Sendable, Equatable {
    /// The longest text that `failed` may carry, in UTF-8 bytes.
    public static let maximumReason = 1024

    /// The source delivers frames.
    case running
    /// Told to pause: no frame is looked at.
    case paused
    /// The file or stream is at its end; the process leaves by itself.
    case ended
    /// The source is broken, with the place and a remedy in the text; the process leaves by itself.
    case failed(String)
}
