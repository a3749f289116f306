// SPDX-License-Identifier: Apache-2.0

/// The state of a scanner process.
public enum ScannerHealth: Sendable, Equatable {
    /// The longest text in a state, in UTF-8 bytes.
    public static let maximumText = 1024

    /// The source delivers frames. The text is the camera's lasting name; empty for another source.
    case running(camera: String)
    /// Paused by command: no frame is searched, and a camera is closed.
    case paused
    /// The file or stream has ended; the process ends by itself.
    case ended
    /// The source is broken; the process ends by itself.
    case failed(ScannerTrouble)
    /// No frame comes at the moment; the process keeps trying.
    case waiting(ScannerTrouble)
    /// A device file has appeared that the process may not open, because it confined itself to the earlier ones. It
    /// ends by itself and must be restarted at once.
    case outgrown
}

/// The byte after the kind of a `health` message.
enum ScannerHealthCode: UInt8 {
    case running = 1
    case paused = 2
    case ended = 3
    case failed = 4
    case waiting = 5
    case outgrown = 6
}
