// SPDX-License-Identifier: Apache-2.0

import CInput
import KioskPorts
import Patience
import Testing

@testable import Keypads

@Suite("Reports of a touch panel")
struct ContactDecoderTests {
    static let ranges: [UInt16: AxisRange] = [
        UInt16(ABS_X): AxisRange(least: 0, greatest: 1000), UInt16(ABS_Y): AxisRange(least: -100, greatest: 400),
        UInt16(ABS_MT_SLOT): AxisRange(least: 0, greatest: 4),
        UInt16(ABS_MT_POSITION_X): AxisRange(least: 0, greatest: 1000),
        UInt16(ABS_MT_POSITION_Y): AxisRange(least: -100, greatest: 400),
    ]
    private static let touch: Set = [UInt16(BTN_TOUCH)]

    static func axes(hasSlots: Bool) throws -> TouchAxes {
        let some = ranges.filter { hasSlots || [UInt16(ABS_X), UInt16(ABS_Y)].contains($0.key) }
        return try #require(TouchAxes(ranges: some, keys: touch, isDirect: true))
    }

    static func event(_ code: Int32, _ value: Int32) -> InputEvent {
        InputEvent(kind: .axis(UInt16(code), value), time: .zero)
    }
    private static let complete = InputEvent(kind: .complete, time: .zero)

    @Test func fingersHaveSlots() throws {
        var decoder = ContactDecoder(try Self.axes(hasSlots: true), .none, TouchSnapshot())
        for (code, value) in [
            (ABS_MT_SLOT, 0), (ABS_MT_TRACKING_ID, 7), (ABS_MT_POSITION_X, 500), (ABS_MT_POSITION_Y, 150),
            (ABS_MT_SLOT, 1), (ABS_MT_TRACKING_ID, 8), (ABS_MT_POSITION_X, 0), (ABS_MT_POSITION_Y, 400),
            (ABS_MT_TOUCH_MAJOR, 130),
        ] { #expect(decoder.decode(Self.event(code, Int32(value))) == nil) }
        #expect(decoder.decode(Self.complete) == .complete)
        #expect(
            decoder.contacts == [
                Contact(id: 7, x: 0.5, y: 0.5), Contact(id: 8, x: 0, y: 1, isPalm: true),
            ])
        for (code, value) in [(ABS_MT_SLOT, 0), (ABS_MT_TRACKING_ID, -1)] {
            _ = decoder.decode(Self.event(code, Int32(value)))
        }
        #expect(decoder.contacts.map(\.id) == [8])
        // The kernel repeats no value: the next finger at the same place has a number alone.
        for (code, value) in [(ABS_MT_TRACKING_ID, 9), (ABS_MT_TOOL_TYPE, Int(MT_TOOL_PALM))] {
            _ = decoder.decode(Self.event(code, Int32(value)))
        }
        #expect(decoder.contacts.first == Contact(id: 9, x: 0.5, y: 0.5, isPalm: true))
        // A slot beyond the bound changes no other.
        for (code, value) in [(ABS_MT_SLOT, 99), (ABS_MT_TRACKING_ID, -1), (ABS_MT_POSITION_X, 3)] {
            _ = decoder.decode(Self.event(code, Int32(value)))
        }
        #expect(decoder.contacts.count == 2)
    }

    @Test func onePanelHasOneFinger() throws {
        var decoder = ContactDecoder(
            try Self.axes(hasSlots: false), .none, TouchSnapshot(slots: [TouchSnapshot.Slot(id: -1, x: 250, y: -100)]))
        #expect(decoder.contacts.isEmpty)
        _ = decoder.decode(InputEvent(kind: .key(UInt16(BTN_TOUCH), isDown: true), time: .zero))
        #expect(decoder.contacts.map { [$0.x, $0.y] } == [[0.25, 0]])
        let first = decoder.contacts.map(\.id)
        _ = decoder.decode(Self.event(ABS_X, 1000))
        #expect(decoder.contacts.map(\.x) == [1])
        for isDown in [false, true] {
            _ = decoder.decode(InputEvent(kind: .key(UInt16(BTN_TOUCH), isDown: isDown), time: .zero))
        }
        #expect(decoder.contacts.map(\.id) != first)
    }

    @Test func lostReportsAreFollowedByTheTrueState() throws {
        var decoder = ContactDecoder(try Self.axes(hasSlots: true), .none, TouchSnapshot())
        _ = decoder.decode(Self.event(ABS_MT_TRACKING_ID, 1))
        #expect(decoder.decode(InputEvent(kind: .lost, time: .zero)) == nil)
        #expect(decoder.decode(Self.event(ABS_MT_TRACKING_ID, -1)) == nil)
        #expect(decoder.decode(Self.complete) == .lost)
        decoder.restore(TouchSnapshot(current: 2, slots: [TouchSnapshot.Slot(id: 4, x: 0, y: 0)]))
        _ = decoder.decode(Self.event(ABS_MT_TRACKING_ID, 5))
        #expect(decoder.contacts.map(\.id) == [4, 5])
    }

    /// By the rules of udev.
    @Test func onlyTouchPanelsAreTaken() {
        func isPanel(_ keys: [Int32], _ codes: [Int32], isDirect: Bool = false) -> Bool {
            TouchAxes(
                ranges: Self.ranges.filter { codes.map(UInt16.init).contains($0.key) },
                keys: Set(keys.map(UInt16.init)),
                isDirect: isDirect) != nil
        }
        let (single, slots) = ([ABS_X, ABS_Y], [ABS_MT_SLOT, ABS_MT_POSITION_X, ABS_MT_POSITION_Y])
        #expect(isPanel([BTN_TOUCH], single) && isPanel([BTN_TOUCH], slots) && isPanel([], slots, isDirect: true))
        #expect(!isPanel([BTN_LEFT], single) && !isPanel([BTN_TOUCH, BTN_TOOL_PEN], single, isDirect: true))
        #expect(!isPanel([BTN_TOUCH, BTN_TOOL_FINGER], slots))
        #expect(isPanel([BTN_TOUCH, BTN_TOOL_FINGER], slots, isDirect: true))
        #expect(!isPanel([BTN_TOUCH], [ABS_X]) && !isPanel([], single, isDirect: true))
        let flat = [UInt16(ABS_X): AxisRange(least: 5, greatest: 5), UInt16(ABS_Y): AxisRange(least: 0, greatest: 9)]
        #expect(TouchAxes(ranges: flat, keys: [UInt16(BTN_TOUCH)], isDirect: true) == nil)
    }

    @Test func theCalibrationOfTheSystemCounts() throws {
        let record = "S:input/by-path/x\nE:ID_INPUT=1\nE:LIBINPUT_CALIBRATION_MATRIX=0 -1 1 1 0 0\n"
        let turned = try #require(TouchCalibration(udev: record))
        let place = turned.applied(0.25, 0.1)
        #expect(place.x == 0.9 && place.y == 0.25)
        let same = TouchCalibration.none.applied(0.25, 0.1)
        #expect(same.x == 0.25 && same.y == 0.1)
        for matrix in [
            "", "1 0 0 0 1", "1 0 0 0 1 0 0", "1 0 0 0 1 x", "1 0 0 0 1 inf", "1 0 0 0 1 1e9", "nan 0 0 0 1 0",
        ] {
            #expect(TouchCalibration(udev: "E:LIBINPUT_CALIBRATION_MATRIX=\(matrix)\n") == nil, "\(matrix)")
        }
        #expect(TouchCalibration(udev: "E:ID_INPUT=1") == nil)
    }

    /// Any reports at all: presses are at least a hand's time apart, on keys that were there long enough, each of a
    /// finger of its own, and nothing grows without bound.
    @Test func anyReportsAreBounded() throws {
        var random = SplitMix64(seed: 0x70_55)
        for round in 0..<TestEffort.rounds(300) {
            let axes = try Self.axes(hasSlots: Bool.random(using: &random))
            var decoder = ContactDecoder(axes, .none, TouchSnapshot())
            var tracker = TouchTracker()
            var time = Duration.zero
            var screen: TouchKeys? = FakeTouchedScreen.pad()
            var (since, lastPress) = (Duration.zero, Duration.seconds(-1))
            let codes = [
                ABS_MT_SLOT, ABS_MT_TRACKING_ID, ABS_MT_POSITION_X, ABS_MT_POSITION_Y, ABS_MT_TOUCH_MAJOR,
                ABS_MT_TOOL_TYPE, ABS_X, ABS_Y,
            ]
            for _ in 0..<400 {
                var effects: [TouchTracker.Effect] = []
                switch Int.random(in: 0..<20, using: &random) {
                case 0:
                    since = time
                    screen = Bool.random(using: &random) ? FakeTouchedScreen.pad(since: since) : nil
                case 1: time += .milliseconds(Int.random(in: 0...400, using: &random))
                case 2: _ = decoder.decode(InputEvent(kind: .lost, time: time))
                case 3:
                    let isDown = Bool.random(using: &random)
                    _ = decoder.decode(InputEvent(kind: .key(UInt16(BTN_TOUCH), isDown: isDown), time: time))
                case 4: effects = tracker.tick(at: time, on: screen)
                case 5...11:
                    time += .milliseconds(Int.random(in: 0...12, using: &random))
                    switch decoder.decode(InputEvent(kind: .complete, time: time)) {
                    case .complete: effects = tracker.take(decoder.contacts, at: time, on: screen)
                    case .lost:
                        decoder.restore(TouchSnapshot(current: Int.random(in: -3...40, using: &random)))
                        effects = tracker.lose("lost", isTouched: false)
                    case nil: break
                    }
                default:
                    let value =
                        Int.random(in: 0..<9, using: &random) == 0
                        ? Int32(truncatingIfNeeded: random.next()) : Int32.random(in: -1...1000, using: &random)
                    _ = decoder.decode(Self.event(codes.randomElement(using: &random) ?? 0, value))
                }
                #expect(decoder.contacts.count <= TouchAxes.mostSlots)
                for case .pressed in effects {
                    #expect(time - lastPress >= TouchTracker.haste, "round \(round)")
                    #expect(time - since >= TouchTracker.settling && screen != nil, "round \(round)")
                    lastPress = time
                }
            }
        }
    }
}
