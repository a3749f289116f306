// SPDX-License-Identifier: Apache-2.0

/// The clock of a thread that may block.
public protocol ThreadClock: Sendable {
    /// Since any beginning; never goes back.
    func now() -> Duration

    func pause(for duration: Duration)
}
