// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// A message of the scanner process to its parent.
///
/// The parent treats the child as hostile: whatever does not follow the rules exactly is an error, and the child is
/// ended for it. Kinds that this version does not know are skipped, so that a message can be added without a new
/// version; a new meaning of a known one needs a new version.
public enum ScannerMessage: Sendable, Equatable {
    /// The version of the protocol that `hello` carries.
    public static let version: UInt16 = 3

    /// The first message, before the source is opened: which version of the protocol follows, and whether the kernel
    /// keeps the process from files that are not its source.
    case hello(version: UInt16, confinesFiles: Bool)
    /// A QR code was read.
    case symbol(Symbol)
    /// The obstacle that keeps codes from being read has changed.
    case hint(ScannerAdvice)
    /// Counters since the start; at least one message a second, also while paused: its absence means a stall.
    case stats(ScannerStatistics)
    /// The scanner's state changed.
    case health(ScannerHealth)
    /// The camera's picture, a few times a second while the parent asked for it and the scanner is not paused.
    case preview(PreviewPicture)
    /// A picture that is shown once is going to be looked at, with every attempt: no message may come for a while.
    case looking
    /// A picture of a folder cannot be read; the others are looked at.
    case skipped(ScannerTrouble)
}

/// The first byte of a message.
enum ScannerMessageKind: UInt8 {
    case hello = 1
    case symbol = 2
    case hint = 3
    case stats = 4
    case health = 5
    case preview = 6
    case looking = 7
    case skipped = 8
}

/// How a message or command broke the rules of the pipe. None of it says what the message carried.
public enum ScannerMessageError: Error, Equatable, Sendable {
    /// The length in front is 0 or more than a message may have.
    case invalidLength(UInt32)
    /// The message ends before its last field.
    case cutOff
    /// Bytes follow the last field.
    case trailingBytes(Int)
    /// A field holds what it must not.
    case invalidValue
    /// `hello` names a version that this side does not speak.
    case otherVersion(UInt16)
}
