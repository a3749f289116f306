// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Turns the reports of one input device into presses.
///
/// What comes within ``quickest`` of the press before is a burst: a device that types by itself, or a hand
/// on several keys.
struct InputDecoder {
    /// Shorter than any hand takes from key to key; devices that inject keys are quicker by default.
    static let quickest = Duration.milliseconds(8)

    private var down: Set<UInt16>
    private var lastPress: Duration?
    private var isSkipping = false

    /// - Parameter down: keys that are down already; they count when they are pressed anew.
    init(down: Set<UInt16>) { self.down = down }

    /// - Parameter readAnew: which keys are down now, asked when reports were lost.
    /// - Throws: what `readAnew` throws.
    mutating func decode<Failure>(
        _ event: InputEvent, readAnew: () throws(Failure) -> Set<UInt16>
    ) throws(Failure) -> KeypadReport? {
        switch event.kind {
        case .lost:
            isSkipping = true
            return nil
        case .complete where isSkipping:
            isSkipping = false
            down = try readAnew()
            return .keysLost("the system lost reports of the keypad")
        case .key(let code, let isDown) where !isSkipping:
            guard isDown else {
                down.remove(code)
                return nil
            }
            return down.insert(code).inserted ? pressed(code, at: event.time) : nil
        case .key, .complete, .other: return nil
        }
    }

    private mutating func pressed(_ code: UInt16, at time: Duration) -> KeypadReport? {
        // With Ctrl, Alt or the like it is a command to some other program.
        guard down.isDisjoint(with: InputKeyMap.modifiers),
            let key = InputKeyMap.key(code, isShifted: !down.isDisjoint(with: InputKeyMap.shifts))
        else { return nil }
        defer { lastPress = time }
        let isBurst = lastPress.map { time - $0 < InputDecoder.quickest && time >= $0 } ?? false
        return .pressed(KeyPress(key, isBurst: isBurst))
    }
}
