// SPDX-License-Identifier: Apache-2.0

public import LoginValues

/// A command of the parent to the scanner process. The raw value is the first byte on the pipe; 1 is reserved for
/// `mode`.
public enum ScannerCommand: UInt8, PipeMessage, Equatable, CaseIterable {
    /// Search no frame until told to resume.
    case pause = 2
    /// Search again, and report a symbol even if it was reported before the pause.
    case resume = 3
    /// End.
    case stop = 4
    /// Send previews from now on.
    case startPreviews = 5
    case stopPreviews = 6
    /// Use fewer and smaller pictures from now on, while they do not change.
    case rest = 7
    /// Search every picture again.
    case wake = 8

    /// The command as bytes for the pipe, preceded by its length.
    public func encoded() -> [UInt8] {
        var writer = PipeMessageWriter()
        writer.append(rawValue)
        return writer.framed()
    }

    /// Reads one command without its length.
    ///
    /// - Returns: nil for a command that this version does not know.
    /// - Throws: when a known one breaks the rules.
    public init?(body: SecretBytes) throws(PipeMessageError) {
        var reader = PipeMessageReader(body)
        guard let command = ScannerCommand(rawValue: try reader.byte()) else { return nil }
        try reader.end()
        self = command
    }
}
