// SPDX-License-Identifier: Apache-2.0

/// Numbers the sessions of one run of the kiosk, from 1. Every asynchronous event carries it, so that answers to an
/// earlier session are recognised and dropped.
public struct SessionNumber: Hashable, Comparable, Sendable {
    public let value: UInt64

    /// The number for timers without a session.
    public static let none = SessionNumber(0)

    public init(_ value: UInt64) { self.value = value }

    public static func < (left: SessionNumber, right: SessionNumber) -> Bool { left.value < right.value }

    var next: SessionNumber { SessionNumber(value + 1) }
}

extension SessionNumber: CustomStringConvertible {
    public var description: String { String(value) }
}
