// SPDX-License-Identifier: Apache-2.0

/// The byte after the kind of a `health` message.
enum ScannerHealthCode: UInt8 {
    case running = 1
    case paused = 2
    case ended = 3
    case failed = 4
    case waiting = 5
    case outgrown = 6
}
