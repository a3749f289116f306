// SPDX-License-Identifier: Apache-2.0

import CV4L2

/// The controls that most cameras have under names of several fashions, and what has to be set before them.
enum ControlAlias {
    struct Step {
        var name: String
        /// Nil for a control that is known by its name alone.
        var id: UInt32?
        var value: Int32
        /// Whether the step is skipped if the camera does not have the control.
        var isOptional = false
    }

    /// The controls to set for one wish, in order.
    static func steps(_ wish: CameraSettings.Control) -> [Step] {
        switch (wish.name, wish.value) {
        case ("exposure", let value?):
            [
                exposureMode(V4L2_EXPOSURE_MANUAL, isOptional: true),
                Step(name: "exposure", id: id(V4L2_CID_EXPOSURE_ABSOLUTE), value: value),
            ]
        // Most cameras have aperture priority only.
        case ("exposure", nil): [exposureMode(V4L2_EXPOSURE_APERTURE_PRIORITY)]
        case ("focus", let value?):
            [
                Step(name: "focus_auto", id: id(V4L2_CID_FOCUS_AUTO), value: 0, isOptional: true),
                Step(name: "focus", id: id(V4L2_CID_FOCUS_ABSOLUTE), value: value),
            ]
        case ("focus", nil): [Step(name: "focus_auto", id: id(V4L2_CID_FOCUS_AUTO), value: 1)]
        case ("gain", let value?):
            [
                Step(name: "gain_automatic", id: id(V4L2_CID_AUTOGAIN), value: 0, isOptional: true),
                Step(name: "gain", id: id(V4L2_CID_GAIN), value: value),
            ]
        case ("gain", nil): [Step(name: "gain_automatic", id: id(V4L2_CID_AUTOGAIN), value: 1)]
        case ("power_line_frequency", let value):
            [
                Step(name: "power_line_frequency", id: id(V4L2_CID_POWER_LINE_FREQUENCY), value: powerLineEntry(value))
            ]
        case (let name, let value): [Step(name: name, value: value ?? 1)]
        }
    }

    private static func exposureMode(_ mode: v4l2_exposure_auto_type, isOptional: Bool = false) -> Step {
        Step(
            name: "auto_exposure", id: id(V4L2_CID_EXPOSURE_AUTO), value: Int32(mode.rawValue), isOptional: isOptional)
    }

    /// The entry of the menu for a frequency in hertz, of which 0 is none and nil automatic; other numbers are entries.
    private static func powerLineEntry(_ frequency: Int32?) -> Int32 {
        switch frequency {
        case 0: Int32(V4L2_CID_POWER_LINE_FREQUENCY_DISABLED.rawValue)
        case 50: Int32(V4L2_CID_POWER_LINE_FREQUENCY_50HZ.rawValue)
        case 60: Int32(V4L2_CID_POWER_LINE_FREQUENCY_60HZ.rawValue)
        case nil: Int32(V4L2_CID_POWER_LINE_FREQUENCY_AUTO.rawValue)
        case let entry?: entry
        }
    }

    private static func id(_ number: Int32) -> UInt32 { UInt32(bitPattern: number) }
}
