// SPDX-License-Identifier: Apache-2.0

/// A message of the scanner process to its parent. The cases stand in the order of `docs/scanner.md`.
///
/// The parent treats the child as hostile: it ends the child for any violation of the rules. It skips unknown kinds,
/// so that a new kind needs no new version; a new meaning of a known one does.
public enum ScannerMessage: Sendable, Equatable {
    /// The version of the protocol in `hello`.
    public static let version: UInt16 = 5
    /// The most sentences about what was passed over, and the longest of them in UTF-8 bytes.
    static let (maximumPassedOver, maximumReason) = (16, 256)

    /// The first message, before the source is opened: the version of the protocol, and whether the kernel restricts
    /// the process to the files of its source.
    case hello(version: UInt16, confinesFiles: Bool)
    /// A QR code was read.
    case symbol(Symbol)
    /// The obstacle to reading codes has changed.
    case hint(ScannerAdvice)
    /// Counters since the start; at least one message a second, also while paused. Its absence means a stall.
    case stats(ScannerStatistics)
    /// The scanner's state changed.
    case health(ScannerHealth)
    /// The camera's picture, with the outline of a code that was found, many times a second while the parent asked for
    /// it and the scanner is not paused.
    case preview(PreviewPicture)
    /// The scanner begins to search a picture that comes only once, with every attempt: no message may come for a
    /// while.
    case looking
    /// A picture of a folder cannot be read; the scanner continues with the others.
    case skipped(ScannerTrouble)
    /// The controls that were taken from the camera's own regulation have changed: the next process is to give these
    /// back, if this one cannot.
    case taken([ControlSetting])
    /// Cameras, sizes and formats that were passed over for the present ones, and why, have changed.
    case passedOver([String])
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
    case taken = 9
    case passedOver = 10
}
