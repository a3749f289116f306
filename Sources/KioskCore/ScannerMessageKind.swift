// SPDX-License-Identifier: Apache-2.0

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
