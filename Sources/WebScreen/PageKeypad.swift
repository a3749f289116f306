// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// Keys on the page, for a kiosk with a touch screen and no keypad.
///
/// What is typed here passes through a browser and is not wiped there: that is why they have to be switched on.
public final class PageKeypad: Keypad {
    private let keys: AsyncStream<KeypadReport>
    private let sink: AsyncStream<KeypadReport>.Continuation

    init() {
        (keys, sink) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(16))
    }

    public func reports() -> AsyncStream<KeypadReport> { keys }

    func press(_ key: Key) { sink.yield(.pressed(KeyPress(key))) }
}
