// SPDX-License-Identifier: Apache-2.0

/// Where keys come from.
public protocol Keypad: Sendable {
    /// The presses from now on, for one consumer; the same pad is not asked twice at a time.
    ///
    /// The stream holds a bounded number of presses and drops the newest beyond it. It ends when the device is gone, and
    /// the device is released when the consumer is cancelled.
    func presses() -> AsyncStream<KeyPress>
}
