// SPDX-License-Identifier: Apache-2.0

/// What came of asking the driver for a filled buffer.
enum Dequeued: Sendable {
    /// - Parameter missed: frames that the driver could not deliver before this one.
    case frame(CapturedBuffer, missed: UInt64)
    /// The driver marked the frame as damaged; it is back in the queue.
    case damaged
    case nothing
}
