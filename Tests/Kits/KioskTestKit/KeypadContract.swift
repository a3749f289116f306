// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// The rules that every ``Keypad`` must keep, real or fake.
public struct KeypadContract: Sendable {
    /// The time that any device may take on a busy machine.
    private static let patience = Duration.seconds(60)

    /// A keypad, and a function that presses and releases a key. It does nothing if keys come by themselves.
    public struct Subject: Sendable {
        let keypad: any Keypad
        let press: @Sendable (Key) async throws -> Void

        public init(_ keypad: any Keypad, press: @escaping @Sendable (Key) async throws -> Void) {
            self.keypad = keypad
            self.press = press
        }
    }

    private let keys: [Key]
    private let announces: Bool
    private let open: @Sendable () async throws -> Subject

    /// - Parameters:
    ///   - keys: the keys to press, with one of them twice in a row.
    ///   - announces: whether the keypad reports that it is available, like those that can be missing.
    ///   - open: called twice, each time for the same device.
    public init(keys: [Key], announces: Bool, open: @escaping @Sendable () async throws -> Subject) {
        self.keys = keys
        self.announces = announces
        self.open = open
    }

    /// - Throws: the broken rule, or a device's error.
    public func check() async throws {
        // The second consumer gets keys only if the first released the device.
        for consumer in ["the first", "the next"] {
            try await withThrowingTaskGroup { group in
                group.addTask { try await hear(consumer) }
                group.addTask {
                    try await Task.sleep(for: Self.patience)
                    throw ContractViolation("\(consumer) consumer hears every key that is pressed")
                }
                try await group.next()
                group.cancelAll()
            }
        }
    }

    private func hear(_ consumer: String) async throws {
        let subject = try await open()
        var reports = subject.keypad.reports().makeAsyncIterator()
        if announces {
            var report = await reports.next()
            // The device is released a moment after its consumer ends.
            while case .unavailable = report { report = await reports.next() }
            try ContractViolation.check(report == .available, "\(consumer) consumer is told first that keys come")
        }
        for (count, key) in keys.enumerated() {
            try await subject.press(key)
            let report = await reports.next()
            // A key on a screen names its view.
            let press = report?.press
            try ContractViolation.check(
                press == KeyPress(key, touched: press?.touched),
                "\(consumer) consumer hears every key once, in its place: not so key \(count + 1) of \(keys.count)")
        }
    }
}
