// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// A keypad whose keys a test presses.
public final class FakeKeypad: Keypad {
    private let stream: AsyncStream<KeypadReport>
    private let sink: AsyncStream<KeypadReport>.Continuation

    public init() { (stream, sink) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(64)) }

    public func reports() -> AsyncStream<KeypadReport> { stream }

    public func press(_ keys: Key..., isBurst: Bool = false) {
        for key in keys { sink.yield(.pressed(KeyPress(key, isBurst: isBurst))) }
    }

    /// Presses the keys of a text, digits as digits.
    public func type(_ text: String, isBurst: Bool = false) {
        for character in text {
            let digit = character.isASCII ? character.wholeNumberValue : nil
            press(digit.map { .digit(UInt8($0)) } ?? .character(character), isBurst: isBurst)
        }
    }

    public func report(_ report: KeypadReport) { sink.yield(report) }

    /// Removes the device.
    public func end() { sink.finish() }
}
