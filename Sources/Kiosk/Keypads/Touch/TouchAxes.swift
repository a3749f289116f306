// SPDX-License-Identifier: Apache-2.0

import CInput

/// The range of an axis.
struct AxisRange: Hashable, Sendable {
    let least: Int32
    let greatest: Int32

    var length: Double { Double(greatest) - Double(least) }

    /// The share of the range, from 0 to 1.
    func share(of value: Int32) -> Double { min(max((Double(value) - Double(least)) / length, 0), 1) }
}

/// The axes of a touch panel.
struct TouchAxes: Hashable, Sendable {
    /// The greatest number of fingers that are followed.
    static let mostSlots = 16

    let x: AxisRange
    let y: AxisRange
    /// Whether fingers have slots: protocol B of the kernel. Otherwise one finger is reported.
    let hasSlots: Bool

    /// - Parameters:
    ///   - ranges: of the axes of a device, by their codes.
    ///   - keys: codes of its keys.
    ///   - isDirect: whether the device lies on a screen.
    /// - Returns: nil for a device that is not a touch panel, by the rules of udev: a mouse, a pen, a pad beside a
    ///   keyboard.
    init?(ranges: [UInt16: AxisRange], keys: Set<UInt16>, isDirect: Bool) {
        let others = [BTN_TOOL_PEN, BTN_STYLUS, BTN_LEFT, BTN_RIGHT].map(UInt16.init)
        guard keys.isDisjoint(with: others), isDirect || !keys.contains(UInt16(BTN_TOOL_FINGER)),
            isDirect || keys.contains(UInt16(BTN_TOUCH))
        else { return nil }
        func range(_ code: Int32) -> AxisRange? { ranges[UInt16(code)].flatMap { $0.length >= 1 ? $0 : nil } }
        // A panel for one finger may have one slot.
        if ranges[UInt16(ABS_MT_SLOT)] != nil, let x = range(ABS_MT_POSITION_X), let y = range(ABS_MT_POSITION_Y) {
            (self.x, self.y, hasSlots) = (x, y, true)
        } else if let x = range(ABS_X), let y = range(ABS_Y), keys.contains(UInt16(BTN_TOUCH)) {
            (self.x, self.y, hasSlots) = (x, y, false)
        } else {
            return nil
        }
    }
}

/// The state of a touch panel, read at the start and after lost reports.
struct TouchSnapshot: Sendable {
    /// A finger, or the place where one was.
    struct Slot: Sendable {
        /// Negative without a finger.
        var id: Int32 = -1
        var x: Int32?
        var y: Int32?
        var major: Int32 = 0
        var isPalm = false
    }

    /// The slot that the next reports are about.
    var current = 0
    var slots: [Slot] = []
}
