// SPDX-License-Identifier: Apache-2.0

import CInput

/// A report of the kernel's input system about keys.
struct InputEvent: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// The key's code, and whether it went down; repeats are left out.
        case key(UInt16, isDown: Bool)
        /// The axis's code, and its value.
        case axis(UInt16, Int32)
        /// The events of one moment are complete.
        case complete
        /// Reports were lost: ignore all until the next ``complete``, and then read the keys again.
        case lost
        case other
    }

    let kind: Kind
    /// The time of the event, from any beginning.
    let time: Duration
}

extension InputEvent {
    init(_ event: input_event) {
        // The time since the machine started.
        time = .seconds(event.time.tv_sec) + .microseconds(event.time.tv_usec)
        kind =
            switch (Int32(event.type), Int32(event.code), event.value) {
            case (EV_SYN, SYN_REPORT, _): .complete
            case (EV_SYN, SYN_DROPPED, _): .lost
            // A value of 2 is a repeat while the key is held.
            case (EV_KEY, _, 0), (EV_KEY, _, 1): .key(event.code, isDown: event.value == 1)
            case (EV_ABS, _, let value): .axis(event.code, value)
            default: .other
            }
    }
}
