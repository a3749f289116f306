// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Turns the reports of one input device into presses.
///
/// Presses that come faster than a hand types are a burst (``TypingPace``).
struct InputDecoder {
    private var down: Set<UInt16>
    private var pace = TypingPace()
    private var isSkipping = false

    /// - Parameter down: keys that are already down; they are reported when they are pressed again.
    init(down: Set<UInt16>) { self.down = down }

    /// - Parameter readAgain: returns the keys that are down now; called when reports were lost.
    /// - Throws: errors of `readAgain`.
    mutating func decode<Failure>(
        _ event: InputEvent, readAgain: () throws(Failure) -> Set<UInt16>
    ) throws(Failure) -> KeypadReport? {
        switch event.kind {
        case .lost:
            isSkipping = true
            return nil
        case .complete where isSkipping:
            isSkipping = false
            down = try readAgain()
            return .keysLost("the system lost reports of the keypad")
        case .key(let code, let isDown) where !isSkipping:
            guard isDown else {
                down.remove(code)
                return nil
            }
            return down.insert(code).inserted ? pressed(code, at: event.time) : nil
        case .key, .axis, .complete, .other: return nil
        }
    }

    private mutating func pressed(_ code: UInt16, at time: Duration) -> KeypadReport? {
        // With Ctrl, Alt or the like it is a command to another program.
        guard down.isDisjoint(with: InputKeyMap.modifiers),
            let key = InputKeyMap.key(code, isShifted: !down.isDisjoint(with: InputKeyMap.shifts))
        else { return nil }
        let isBurst = pace.isTooFast(at: time)
        return .pressed(KeyPress(key, atPIN: InputKeyMap.mainDigit(code).map { .digit($0) }, isBurst: isBurst))
    }
}
