// SPDX-License-Identifier: Apache-2.0

/// A value for the one task that takes it. A newer value replaces one that was not taken yet.
struct Newest<Value: Sendable>: Sendable {
    /// Nil once it was taken.
    private(set) var value: Value?
    private let wakeup = Wakeup()

    mutating func put(_ value: Value) {
        self.value = value
        wakeup.signal()
    }

    mutating func take() -> Value? {
        defer { value = nil }
        return value
    }

    /// Waits until a value was put; cancelling the task ends it, too.
    func wait() async { await wakeup.wait() }
}
