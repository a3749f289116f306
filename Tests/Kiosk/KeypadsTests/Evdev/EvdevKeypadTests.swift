// SPDX-License-Identifier: Apache-2.0

import CInput
import Glibc
import KioskPorts
import Patience
import Testing
@testable import Keypads

@Suite("An input device as a keypad", .timeLimit(.minutes(10)))
struct EvdevKeypadTests {
    private static let allKeys = Set((1..<128).map { UInt16($0) })
    private static let pad = FakeInputSystem.Device(
        identity: InputIdentity(name: "USB Number Pad", place: "usb-1.3/input0", vendor: 0x1A2C, product: 0x4C5E),
        links: ["/dev/input/by-path/usb-1.3-event-kbd"], keys: allKeys)
    private static let rogue = FakeInputSystem.Device(
        identity: InputIdentity(name: "Gift", place: "usb-1.4/input0", vendor: 0x1A2C, product: 0x4C5F), keys: allKeys)
    private static let node = "/dev/input/event3"

    private let system = FakeInputSystem()

    private func reports(_ selector: String = "1a2c:4c5e") throws -> AsyncStream<KeypadReport>.Iterator {
        EvdevKeypad(try #require(InputSelector(selector)), system: system).reports().makeAsyncIterator()
    }

    private func pressed(_ keys: Key..., isBurst: Bool = false) -> [KeypadReport] {
        keys.map { .pressed(KeyPress($0, isBurst: isBurst)) }
    }

    private func next(_ count: Int, _ reports: inout AsyncStream<KeypadReport>.Iterator) async -> [KeypadReport] {
        var seen: [KeypadReport] = []
        while seen.count < count, let report = await reports.next() { seen.append(report) }
        return seen
    }

    @Test func theKeysOfAPad() async throws {
        system.plug(Self.node, Self.pad)
        var reports = try reports()
        #expect(await reports.next() == .available)
        for code in [KEY_KP1, KEY_2, KEY_KPENTER, KEY_BACKSPACE, KEY_KPDOT, KEY_TAB, KEY_A] {
            system.press(code, on: Self.node)
        }
        #expect(
            await next(7, &reports)
                == pressed(.digit(1), .digit(2), .enter, .back, .clear, .menu, .character("a")))
    }

    @Test func shiftAndControl() async throws {
        system.plug(Self.node, Self.pad)
        var reports = try reports()
        #expect(await reports.next() == .available)
        system.happen([.key(UInt16(KEY_LEFTSHIFT), isDown: true)], on: Self.node)
        system.press(KEY_2, on: Self.node)
        system.press(KEY_Q, on: Self.node)
        system.happen([.key(UInt16(KEY_LEFTSHIFT), isDown: false)], on: Self.node)
        system.happen([.key(UInt16(KEY_LEFTCTRL), isDown: true)], on: Self.node)
        system.press(KEY_7, on: Self.node)
        system.happen([.key(UInt16(KEY_LEFTCTRL), isDown: false)], on: Self.node)
        system.press(KEY_MINUS, on: Self.node)
        #expect(
            await next(3, &reports) == [
                // On a French keyboard this key is a digit with Shift. Where a PIN is asked it is one without.
                .pressed(KeyPress(.character("@"), atPIN: .digit(2))), .pressed(KeyPress(.character("Q"))),
                .pressed(KeyPress(.character("-"))),
            ])
    }

    @Test(arguments: [
        "1a2c:4c5e", "name=USB Number Pad", "phys=usb-1.3/input0", "/dev/input/by-path/usb-1.3-event-kbd",
    ])
    func onlyTheNamedDeviceIsHeard(_ selector: String) async throws {
        system.plug("/dev/input/event0", Self.rogue)
        system.plug(Self.node, Self.pad)
        var reports = try reports(selector)
        #expect(await reports.next() == .available)
        for code in [KEY_1, KEY_2, KEY_3, KEY_4, KEY_ENTER] { system.press(code, on: "/dev/input/event0") }
        system.press(KEY_KP9, on: Self.node)
        #expect(await next(1, &reports) == pressed(.digit(9)))
        // With two devices plugged in, the keypad may open the other one a second time to read its name.
        try await Patience.until { system.openNodes == [Self.node] }
    }

    @Test func noKeyIsTakenFromADeviceThatOthersHear() async throws {
        var pad = Self.pad
        pad.isGrabbed = true
        system.plug(Self.node, pad)
        var reports = try reports()
        #expect(
            await reports.next()
                == .unavailable(
                    "/dev/input/event3: another program listens to it, so that no key is taken from it; stop that program"
                ))
        system.press(KEY_1, on: Self.node)
        // The keypad opens the device again and again, to see whether it can have it alone.
        try await Patience.until { system.openNodes == [] }
        system.release(Self.node)
        #expect(await reports.next() == .available)
        system.press(KEY_2, on: Self.node)
        #expect(await next(1, &reports) == pressed(.digit(2)))
    }

    @Test func aDeviceThatMayNotBeOpened() async throws {
        var pad = Self.pad
        pad.refusal = EACCES
        system.plug(Self.node, pad)
        var reports = try reports()
        guard case .unavailable(let reason)? = await reports.next() else {
            Issue.record("a locked device is available")
            return
        }
        #expect(reason.hasSuffix("add the user to the group that has it, usually input"))
        system.release(Self.node)
        #expect(await reports.next() == .available)
    }

    @Test func aMouseIsNoKeypad() async throws {
        var mouse = Self.pad
        mouse.keys = [UInt16(BTN_LEFT)]
        system.plug(Self.node, mouse)
        var reports = try reports()
        #expect(
            await reports.next()
                == .unavailable(
                    "keypad 1a2c:4c5e is not there; plug it in, or see `login-kiosk devices` for what is"))
    }

    @Test func unpluggedAndPluggedInAgain() async throws {
        var reports = try reports()
        for _ in 0..<3 {
            guard case .unavailable? = await reports.next() else {
                Issue.record("nothing is there, and it is available")
                return
            }
            system.plug(Self.node, Self.pad)
            #expect(await reports.next() == .available)
            system.press(KEY_KP5, on: Self.node)
            #expect(await next(1, &reports) == pressed(.digit(5)))
            system.unplug(Self.node)
        }
    }

    /// Each device that comes or goes is reported once, with its name and port, and no other.
    @Test func whatComesAndGoesIsNoted() async throws {
        let (changes, sink) = AsyncStream.makeStream(of: KeypadChange.self)
        system.plug("/dev/input/event0", Self.rogue)
        system.plug(Self.node, Self.pad)
        let selector = try #require(InputSelector("name=USB Number Pad"))
        let keypad = EvdevKeypad(selector, system: system) { sink.yield($0) }
        var reports = keypad.reports().makeAsyncIterator()
        var noted = changes.makeAsyncIterator()
        #expect(await noted.next() == KeypadChange(Self.pad.identity, isThere: true))
        #expect(await reports.next() == .available)
        // Another device has the same name and another port.
        var exchanged = Self.rogue
        exchanged.identity = InputIdentity(
            name: "USB Number Pad", place: "usb-1.4/input0", vendor: 0x1A2C, product: 0x4C5F)
        for pad in [exchanged, Self.pad] {
            system.unplug(Self.node)
            let gone = await noted.next()
            #expect(gone?.isThere == false && gone?.device.name == "USB Number Pad")
            system.plug(Self.node, pad)
            #expect(await noted.next() == KeypadChange(pad.identity, isThere: true))
        }
    }

    /// A press during which reports were lost is ignored, and so is the release of another key.
    @Test func lostReportsAreFollowedByTheTrueState() async throws {
        system.plug(Self.node, Self.pad)
        var reports = try reports()
        #expect(await reports.next() == .available)
        system.happen(
            [
                .key(UInt16(KEY_KP1), isDown: true), .lost, .key(UInt16(KEY_KP2), isDown: true),
                .key(UInt16(KEY_KP2), isDown: false), .complete,
            ], on: Self.node)
        // The key is still down, so this is no second press.
        system.happen([.key(UInt16(KEY_KP1), isDown: true)], on: Self.node)
        system.happen([.key(UInt16(KEY_KP1), isDown: false)], on: Self.node)
        system.press(KEY_KP1, on: Self.node)
        #expect(
            await next(3, &reports)
                == pressed(.digit(1)) + [.keysLost("the system lost reports of the keypad")] + pressed(.digit(1)))
    }

    @Test func repeatsDoNotCount() throws {
        var event = input_event()
        event.type = UInt16(EV_KEY)
        event.code = UInt16(KEY_KP1)
        event.value = 2
        #expect(InputEvent(event).kind == .other)
        event.value = 1
        #expect(InputEvent(event).kind == .key(UInt16(KEY_KP1), isDown: true))
    }

    @Test func keysThatComeTooFastAreABurst() async throws {
        system.plug(Self.node, Self.pad)
        var reports = try reports()
        #expect(await reports.next() == .available)
        system.press(KEY_KP1, on: Self.node)
        system.press(KEY_KP2, on: Self.node, after: .milliseconds(2))
        system.press(KEY_KP3, on: Self.node, after: .milliseconds(2))
        system.press(KEY_KP4, on: Self.node)
        #expect(
            await next(4, &reports)
                == pressed(.digit(1)) + pressed(.digit(2), .digit(3), isBurst: true) + pressed(.digit(4)))
    }

    @Test func aKeyThatIsDownAtTheStartCountsWhenItIsPressedAnew() async throws {
        var pad = Self.pad
        pad.down = [UInt16(KEY_KP8)]
        system.plug(Self.node, pad)
        var reports = try reports()
        #expect(await reports.next() == .available)
        system.happen([.key(UInt16(KEY_KP8), isDown: true)], on: Self.node)
        system.happen([.key(UInt16(KEY_KP8), isDown: false)], on: Self.node)
        system.press(KEY_KP7, on: Self.node)
        #expect(await next(1, &reports) == pressed(.digit(7)))
    }

    @Test(arguments: [
        ("USB Number Pad", allKeys, KeyNames.numberPad), ("SIGMACHIP USB Keypad", allKeys, .numberPad),
        ("Logitech K120", allKeys, .keyboard), ("ThinkPad Compact USB Keyboard", allKeys, .keyboard),
        (
            "Pad of an overlay", Set((0...15).map { UInt16(KEY_NUMERIC_0 + $0) }),
            KeyNames([
                .enter: KeyNames.Name("#"), .back: KeyNames.Name("*"), .clear: KeyNames.Name("C"),
                .menu: KeyNames.Name("A"),
            ])
        ),
    ])
    func keysAreNamedByWhatTheDeviceIs(name: String, keys: Set<UInt16>, names: KeyNames) async throws {
        var device = Self.pad
        device.identity = InputIdentity(name: name, place: "usb-1.3/input0", vendor: 0x1A2C, product: 0x4C5E)
        device.keys = keys
        let keypad = EvdevKeypad(try #require(InputSelector("1a2c:4c5e")), system: system)
        #expect(keypad.keyNames == .numberPad)
        var reports = keypad.reports().makeAsyncIterator()
        system.plug(Self.node, device)
        var report = await reports.next()
        while case .unavailable = report { report = await reports.next() }
        #expect(report == .available)
        #expect(keypad.keyNames == names)
    }

    @Test func devicesAreListed() {
        system.plug(Self.node, Self.pad)
        var mouse = Self.pad
        mouse.keys = []
        system.plug("/dev/input/event4", mouse)
        let devices = InputDescription.all(system)
        #expect(devices.map(\.node) == [Self.node])
        #expect(devices.first?.stableNames == ["/dev/input/by-path/usb-1.3-event-kbd"])
        #expect(devices.first?.identity?.description == "USB Number Pad (1a2c:4c5e)")
        #expect(system.openNodes == [])
    }
}
