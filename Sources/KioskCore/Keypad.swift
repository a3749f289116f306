// SPDX-License-Identifier: Apache-2.0

/// Where keys come from.
///
/// A keypad is taken as available until it says that it is not. It takes no key from a device that others can hear too.
public protocol Keypad: Sendable {
    /// What the keypad has to say from now on, for one consumer; the same pad is not asked twice at a time.
    ///
    /// The stream holds a bounded number of reports and drops the newest beyond it. It ends when the device is gone for
    /// good, and the device is released when the consumer is cancelled.
    func reports() -> AsyncStream<KeypadReport>
}

extension Keypad {
    /// The presses alone, for those who only type.
    public func presses() -> AsyncCompactMapSequence<AsyncStream<KeypadReport>, KeyPress> {
        reports().compactMap { $0.press }
    }
}
