// SPDX-License-Identifier: Apache-2.0

import CInput
import KioskPorts
import KioskTestKit
import Patience
import Testing

@testable import Keypads

@Suite("A touch panel as a keypad", .timeLimit(.minutes(10)))
struct TouchPanelTests {
    private static let node = "/dev/input/event5"
    private let system = FakeInputSystem()
    private let screen = FakeTouchedScreen()

    private static func panel(hasSlots: Bool = true) throws -> FakeInputSystem.Device {
        FakeInputSystem.Device(
            identity: InputIdentity(name: "Goodix", place: "i2c-10", vendor: 0x0416, product: 0x0911),
            links: ["/dev/input/by-path/i2c-10-event"], keys: [UInt16(BTN_TOUCH)],
            axes: try ContactDecoderTests.axes(hasSlots: hasSlots))
    }

    private func keypad(_ selector: InputSelector? = nil, mayLack: Bool = false) -> EvdevKeypad {
        EvdevKeypad(InputWish(touch: selector, on: screen, mayLack: mayLack), system: system)
    }

    /// Touches the middle of a key for 60 ms.
    private static func tap(_ key: KeyPlace.Key, on system: FakeInputSystem, hasSlots: Bool = true) {
        let middle = FakeTouchedScreen.middle(key)
        let (x, y) = (Int32(middle.x * 1000), Int32(middle.y * 500) - 100)
        if hasSlots {
            system.happen(
                [
                    .axis(UInt16(ABS_MT_TRACKING_ID), 5), .axis(UInt16(ABS_MT_POSITION_X), x),
                    .axis(UInt16(ABS_MT_POSITION_Y), y), .key(UInt16(BTN_TOUCH), isDown: true), .complete,
                ], on: node, after: .milliseconds(200))
            system.happen(
                [.axis(UInt16(ABS_MT_TRACKING_ID), -1), .key(UInt16(BTN_TOUCH), isDown: false), .complete], on: node,
                after: .milliseconds(60))
        } else {
            system.happen(
                [
                    .key(UInt16(BTN_TOUCH), isDown: true), .axis(UInt16(ABS_X), x), .axis(UInt16(ABS_Y), y), .complete,
                ], on: node, after: .milliseconds(200))
            system.happen([.key(UInt16(BTN_TOUCH), isDown: false), .complete], on: node, after: .milliseconds(60))
        }
    }

    private func tap(_ keys: KeyPlace.Key..., hasSlots: Bool = true) {
        for key in keys { Self.tap(key, on: system, hasSlots: hasSlots) }
    }

    private static func key(_ report: KeypadReport?) -> Key? { report?.press?.key }

    @Test(arguments: [true, false]) func fingersPressTheKeysOfTheScreen(hasSlots: Bool) async throws {
        system.pass(.seconds(1))
        system.plug(Self.node, try Self.panel(hasSlots: hasSlots))
        let keypad = keypad()
        #expect(keypad.keyNames == .touched)
        var reports = keypad.reports().makeAsyncIterator()
        #expect(await reports.next() == .available)
        #expect(screen.isTouched)
        tap(.digit(2), .digit(5), .digit(5), .ofView(0), hasSlots: hasSlots)
        for key: Key in [.digit(2), .digit(5), .digit(5), .enter] { #expect(Self.key(await reports.next()) == key) }
        #expect(screen.touched.isEmpty, "a key of a PIN shows that it is touched")
    }

    /// Other devices are not read, and no other process reads the panel.
    @Test func onlyATouchPanelIsTakenAndNobodyElseHearsIt() async throws {
        let pad = FakeInputSystem.Device(
            identity: InputIdentity(name: "Pad", place: "usb-1", vendor: 1, product: 2),
            keys: Set((1..<128).map { UInt16($0) }))
        system.plug("/dev/input/event0", pad)
        system.plug(Self.node, try Self.panel())
        var second = try Self.panel()
        second.identity = InputIdentity(name: "Another", place: "usb-9", vendor: 9, product: 9)
        system.plug("/dev/input/event7", second)
        var reports = keypad().reports().makeAsyncIterator()
        #expect(await reports.next() == .available)
        try await Patience.until { system.openNodes == [Self.node] }
        #expect(system.isGrabbed(Self.node))
    }

    @Test func aSelectorNamesOnePanel() async throws {
        system.plug("/dev/input/event1", try Self.panel())
        var other = try Self.panel()
        other.links = ["/dev/input/by-path/usb-1-event"]
        system.plug(Self.node, other)
        var reports = keypad(InputSelector("/dev/input/by-path/usb-1-event")).reports().makeAsyncIterator()
        #expect(await reports.next() == .available)
        #expect(system.isGrabbed(Self.node) && !system.isGrabbed("/dev/input/event1"))
    }

    @Test func theCalibrationOfTheSystemCounts() async throws {
        system.pass(.seconds(1))
        var panel = try Self.panel()
        panel.udevRecord = "E:LIBINPUT_CALIBRATION_MATRIX=-1 0 1 0 -1 1\n"
        system.plug(Self.node, panel)
        screen.show(FakeTouchedScreen.pad(rotation: .half))
        var reports = keypad().reports().makeAsyncIterator()
        #expect(await reports.next() == .available)
        tap(.digit(7))
        #expect(Self.key(await reports.next()) == .digit(7))
    }

    /// Digits of a PIN are wiped when the panel, or the picture, goes: another hand may touch what comes.
    @Test func aPanelOrPictureThatGoesLosesTheKeys() async throws {
        system.plug(Self.node, try Self.panel())
        var reports = keypad().reports().makeAsyncIterator()
        #expect(await reports.next() == .available)
        screen.unplug()
        for _ in 1...2 {
            guard case .keysLost? = await reports.next(), case .unavailable? = await reports.next() else {
                Issue.record("keys are not lost")
                return
            }
            if system.openNodes.isEmpty {
                system.plug(Self.node, try Self.panel())
            } else {
                screen.plug(FakeTouchedScreen.pad())
            }
            #expect(await reports.next() == .available)
            system.unplug(Self.node)
        }
        try await Patience.until { !screen.isTouched }
    }

    /// A kiosk without a touch panel is complete. One that comes later counts.
    @Test func aPanelThatNobodyMissesIsNotReported() async throws {
        let terminal = FakeKeypad()
        let touch = keypad(mayLack: true)
        #expect(touch.keyNames == KeyNames([:]))
        let merged = MergedKeypad([terminal], orLater: [touch])
        var reports = merged.reports().makeAsyncIterator()
        terminal.report(.unavailable("the terminal is gone"))
        #expect(await reports.next() == .unavailable("the terminal is gone"))
        system.plug(Self.node, try Self.panel())
        #expect(await reports.next() == .available)
        #expect(touch.keyNames == .touched)
    }

    @Test func aPanelThatIsWantedIsMissed() async throws {
        var reports = keypad().reports().makeAsyncIterator()
        #expect(
            await reports.next()
                == .unavailable("the touch panel is not there; see `login-kiosk devices` for what is"))
    }

    /// Keys are ignored while nothing is drawn, and the person need not wait for the first picture.
    @Test func beforeTheFirstPictureNothingIsReported() async throws {
        screen.unplug()
        system.plug(Self.node, try Self.panel())
        var reports = keypad().reports().makeAsyncIterator()
        try await Patience.until { screen.isTouched }
        tap(.digit(1))
        screen.plug(FakeTouchedScreen.pad())
        #expect(await reports.next() == .available)
    }

    @Test func lostReportsLoseTheKeys() async throws {
        system.pass(.seconds(1))
        system.plug(Self.node, try Self.panel())
        var reports = keypad().reports().makeAsyncIterator()
        #expect(await reports.next() == .available)
        // A finger came while reports were lost, and lies there still.
        let finger = TouchSnapshot.Slot(id: 5, x: 680, y: 72)
        system.set(TouchSnapshot(slots: [finger]), of: Self.node)
        system.happen([.lost, .complete], on: Self.node)
        #expect(await reports.next() == .keysLost("the system lost reports of the touch panel"))
        system.happen([.axis(UInt16(ABS_MT_TRACKING_ID), -1), .complete], on: Self.node)
        tap(.digit(3))
        #expect(Self.key(await reports.next()) == .digit(3))
    }

    /// A panel that reports nonsense without end is read in turns, so that the keypad can be stopped. The first touch counts,
    /// the next one is faster than a hand, and nothing counts before a pause.
    @Test func aFloodEndsWithItsReader() async throws {
        system.plug(Self.node, try Self.panel())
        system.flood(Self.node) { index in
            let isDown = index.isMultiple(of: 2)
            let digit = FakeTouchedScreen.middle(.digit(index / 2 % 10))
            return [
                .axis(UInt16(ABS_MT_TRACKING_ID), isDown ? Int32(index) : -1),
                .axis(UInt16(ABS_MT_POSITION_X), Int32(digit.x * 1000)),
                .axis(UInt16(ABS_MT_POSITION_Y), Int32(digit.y * 500) - 100), .complete,
            ]
        }
        let keypad = keypad()
        let hearing = Task {
            var (presses, losses) = (0, 0)
            for await report in keypad.reports() {
                if report.press != nil { presses += 1 }
                if case .keysLost = report { losses += 1 }
                if presses > 0, losses > 0 { break }
            }
            return (presses, losses)
        }
        let (presses, losses) = await hearing.value
        #expect(presses == 1 && losses == 1)
        // The reader lets go of the panel although reports still come.
        try await Patience.until { system.openNodes.isEmpty }
    }

    @Test func panelsAreListed() throws {
        system.plug(Self.node, try Self.panel())
        let devices = InputDescription.all(system)
        #expect(devices.map(\.specification) == ["touch:/dev/input/by-path/i2c-10-event"])
        #expect(devices.first?.isTouchPanel == true)
    }

    @Test func aPanelWithoutAPictureIsTested() {
        let keys = BarePanel().touchKeys?.keys ?? []
        #expect(keys.count == 12 && Set(keys.map(\.effect)).count == 12)
    }
}
