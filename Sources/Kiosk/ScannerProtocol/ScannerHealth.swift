// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// The state of a scanner process.
public enum ScannerHealth: Sendable, Equatable {
    /// The longest text that a state may carry, in UTF-8 bytes.
    public static let maximumText = 1024

    /// The source delivers frames. The text names the camera, as it is known again; it is empty for another source.
    case running(camera: String)
    /// Told to pause: no frame is looked at, and a camera is closed.
    case paused
    /// The file or stream is at its end; the process leaves by itself.
    case ended
    /// The source is broken; the process leaves by itself.
    case failed(ScannerTrouble)
    /// No frame comes at the moment; the process goes on trying.
    case waiting(ScannerTrouble)
    /// A device file came that the process may not open, because it confined itself to those that were there; it leaves
    /// by itself and wants to be started again at once.
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
