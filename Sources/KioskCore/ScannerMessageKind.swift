// SPDX-License-Identifier: Apache-2.0

/// The first byte of a message. 3 is kept for `hint`, 6 for `preview`.
enum ScannerMessageKind: UInt8 {
    case hello = 1
    case symbol = 2
    case stats = 4
    case health = 5
}
