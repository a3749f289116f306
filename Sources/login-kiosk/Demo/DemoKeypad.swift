// SPDX-License-Identifier: Apache-2.0

import KioskCore

/// A keypad whose keys are pressed by a script, at the pace of a quick hand.
final class DemoKeypad: Keypad {
    private static let pause = Duration.milliseconds(40)

    private let keys: AsyncStream<KeypadReport>
    private let sink: AsyncStream<KeypadReport>.Continuation

    init() { (keys, sink) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(64)) }

    func reports() -> AsyncStream<KeypadReport> { keys }

    func press(_ key: Key) async throws {
        try await Task.sleep(for: DemoKeypad.pause)
        sink.yield(.pressed(KeyPress(key)))
    }

    func type(_ text: String) async throws {
        for character in text {
            try await press(character.wholeNumberValue.map { .digit(UInt8($0)) } ?? .character(character))
        }
    }

    func type(_ digits: [UInt8]) async throws {
        for digit in digits { try await press(.digit(digit)) }
    }
}
