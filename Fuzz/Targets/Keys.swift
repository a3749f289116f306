// SPDX-License-Identifier: Apache-2.0

import CInput
import KioskPorts
import LoginValues
@testable import Keypads

extension FuzzTarget {
    /// Keypads of all kinds: a terminal's bytes, the kernel's reports of keys, the contacts of a matrix.
    static let keys = FuzzTarget(name: "keys") { input in
        switch input.byte() % 3 {
        case 0:
            var decoder = KeyDecoder()
            while !input.isAtEnd {
                let length = input.byte()
                if length == 0 { _ = decoder.timedOut() } else { _ = decoder.decode(input.take(Int(length)).span) }
            }
        case 1:
            var decoder = InputDecoder(down: [])
            var time = Duration.zero
            var presses = 0
            var downs = 0
            while !input.isAtEnd {
                time += .milliseconds(Int(input.byte()))
                let event = InputEvent(kind: input.eventKind(), time: time)
                if case .key(_, isDown: true) = event.kind { downs += 1 }
                let down = Set(input.take(0).map(UInt16.init))
                if case .pressed = decoder.decode(event, readAgain: { () throws(Never) in down }) { presses += 1 }
            }
            expect(presses <= downs, "no press comes without a key that went down")
        default:
            var decoder = MatrixDecoder()
            var now = Duration.zero
            while !input.isAtEnd {
                now += .milliseconds(Int(input.byte()))
                let rows = (0..<4).map { _ in UInt64(input.byte() & 0xF) }
                _ = decoder.looked(MatrixScan(rows: rows), at: now)
            }
        }
    }

    /// A touch panel: the kernel's reports of axes, on a pad of digits that comes, goes and moves.
    static let touch = FuzzTarget(name: "touch") { input in
        let hasSlots = input.byte() & 1 == 1
        let range = AxisRange(least: 0, greatest: 255)
        let codes = hasSlots ? [ABS_MT_SLOT, ABS_MT_POSITION_X, ABS_MT_POSITION_Y] : [ABS_X, ABS_Y]
        let axes = TouchAxes(
            ranges: Dictionary(uniqueKeysWithValues: codes.map { (UInt16($0), range) }), keys: [UInt16(BTN_TOUCH)],
            isDirect: true)
        guard let axes else { fatalError("the axes are those of a touch panel") }
        var decoder = ContactDecoder(axes, .none, TouchSnapshot())
        var tracker = TouchTracker()
        var screen: TouchKeys?
        var (time, shown) = (Duration.zero, Duration.zero)
        while !input.isAtEnd {
            let choice = input.byte()
            time += .milliseconds(Int(input.byte()))
            if choice & 0x80 != 0 {
                shown = time
                screen = choice & 0x40 != 0 ? pad(since: time, left: Int(choice & 0x1F)) : nil
                continue
            }
            var effects: [TouchTracker.Effect] = []
            switch decoder.decode(InputEvent(kind: input.eventKind(), time: time)) {
            case .complete: effects = tracker.take(decoder.contacts, at: time, on: screen)
            case .lost: effects = tracker.lose("lost", isTouched: !decoder.contacts.isEmpty)
            case nil: effects = tracker.tick(at: time, on: screen)
            }
            for effect in effects {
                guard case .pressed = effect else { continue }
                expect(screen != nil, "nothing is pressed where no key is shown")
                expect(time - shown >= TouchTracker.settling, "nothing is pressed on a screen this new")
            }
        }
    }

    private static func pad(since: Duration, left: Int) -> TouchKeys {
        let view = KioskView(.pin, .ask, title: Prompt(.pinTitle), entry: .masked(count: 1, capacity: 6))
        let keys = (0..<12).map { index in
            TouchKey(
                KeyPlace(.digit(min(index, 9)), x: left + index % 3 * 80, y: index / 3 * 60, width: 72, height: 52),
                .press(index < 10 ? .digit(UInt8(index)) : index == 10 ? .back : .enter, label: nil), since: since)
        }
        return TouchKeys(of: view, subject: KeySubject(view), width: 256, height: 256, rotation: .none, keys: keys)
    }
}

extension Input {
    fileprivate mutating func eventKind() -> InputEvent.Kind {
        switch byte() % 6 {
        case 0: .key(UInt16(byte()), isDown: byte() & 1 == 1)
        case 1: .key(UInt16(BTN_TOUCH), isDown: byte() & 1 == 1)
        case 2, 3:
            .axis(
                [
                    ABS_X, ABS_Y, ABS_MT_SLOT, ABS_MT_TRACKING_ID, ABS_MT_POSITION_X, ABS_MT_POSITION_Y,
                    ABS_MT_TOUCH_MAJOR,
                    ABS_MT_TOOL_TYPE,
                ].map(UInt16.init)[number(below: 8)], Int32(Int8(bitPattern: byte())) * (byte() == 255 ? 1 << 24 : 1))
        case 4: .complete
        default: .lost
        }
    }
}
