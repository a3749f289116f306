// SPDX-License-Identifier: Apache-2.0

import CInput

/// Something that lies on a touch panel.
struct Contact: Hashable, Sendable {
    /// Identifies the contact among all present ones until it is lifted.
    let id: Int32
    /// Shares of the panel's width and height as it is built; nil until the panel reports a place.
    let x: Double?
    let y: Double?
    /// Whether it is larger than a finger.
    let isPalm: Bool

    init(id: Int32, x: Double?, y: Double?, isPalm: Bool = false) {
        self.id = id
        self.x = x
        self.y = y
        self.isPalm = isPalm
    }
}

/// Follows the contacts of one touch panel by the kernel's reports.
struct ContactDecoder {
    /// A quarter of the panel's shorter side is not a finger.
    private static let palmShare = 4.0

    private let axes: TouchAxes
    private let calibration: TouchCalibration
    private var state: TouchSnapshot
    private var isSkipping = false
    /// The number of the finger on a panel without slots: a new one for each touch.
    private var touches: Int32 = 0

    init(_ axes: TouchAxes, _ calibration: TouchCalibration, _ state: TouchSnapshot) {
        self.axes = axes
        self.calibration = calibration
        self.state = state
        fill()
    }

    /// The contacts now.
    var contacts: [Contact] {
        state.slots.compactMap { slot in
            guard slot.id >= 0 else { return nil }
            guard let x = slot.x, let y = slot.y else { return Contact(id: slot.id, x: nil, y: nil) }
            let place = calibration.applied(axes.x.share(of: x), axes.y.share(of: y))
            let isLarge = Double(slot.major) * ContactDecoder.palmShare > min(axes.x.length, axes.y.length)
            return Contact(id: slot.id, x: place.x, y: place.y, isPalm: slot.isPalm || isLarge)
        }
    }

    enum Finding: Equatable {
        /// The contacts of one moment are complete.
        case complete
        /// Reports were lost: read the state again.
        case lost
    }

    /// - Returns: nil while a moment's reports are incomplete.
    mutating func decode(_ event: InputEvent) -> Finding? {
        switch event.kind {
        case .lost: isSkipping = true
        case .complete where isSkipping:
            isSkipping = false
            return .lost
        case .complete: return .complete
        case .axis(let code, let value) where !isSkipping: moved(Int32(code), value)
        case .key(UInt16(BTN_TOUCH), let isDown) where !isSkipping && !axes.hasSlots:
            if isDown { touches &+= 1 }
            state.slots[0].id = isDown ? touches & .max : -1
        case .key, .axis, .other: break
        }
        return nil
    }

    /// Takes the true state after lost reports.
    mutating func restore(_ state: TouchSnapshot) {
        self.state = state
        fill()
    }

    private mutating func fill() {
        let count = axes.hasSlots ? TouchAxes.mostSlots : 1
        state.slots = Array(state.slots.prefix(count))
        while state.slots.count < count { state.slots.append(TouchSnapshot.Slot()) }
    }

    private mutating func moved(_ code: Int32, _ value: Int32) {
        guard axes.hasSlots else {
            if code == ABS_X { state.slots[0].x = value }
            if code == ABS_Y { state.slots[0].y = value }
            return
        }
        if code == ABS_MT_SLOT { state.current = Int(value) }
        // Fingers beyond the bound are not followed.
        guard state.slots.indices.contains(state.current) else { return }
        switch code {
        case ABS_MT_TRACKING_ID:
            state.slots[state.current].id = value
            state.slots[state.current].isPalm = false
            state.slots[state.current].major = 0
        case ABS_MT_POSITION_X: state.slots[state.current].x = value
        case ABS_MT_POSITION_Y: state.slots[state.current].y = value
        case ABS_MT_TOUCH_MAJOR: state.slots[state.current].major = value
        case ABS_MT_TOOL_TYPE: state.slots[state.current].isPalm = value == MT_TOOL_PALM
        default: break
        }
    }
}
