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
                Step(name: "auto_exposure", id: id(V4L2_CID_EXPOSURE_AUTO), value: 1, isOptional: true),
                Step(name: "exposure", id: id(V4L2_CID_EXPOSURE_ABSOLUTE), value: value),
            ]
        // Most cameras know aperture priority (3) only.
        case ("exposure", nil): [Step(name: "auto_exposure", id: id(V4L2_CID_EXPOSURE_AUTO), value: 3)]
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
            // The menu counts off, 50 Hz, 60 Hz, automatic.
            [
                Step(
                    name: "power_line_frequency", id: id(V4L2_CID_POWER_LINE_FREQUENCY),
                    value: [0: 0, 50: 1, 60: 2][value ?? -1] ?? value ?? 3)
            ]
        case (let name, let value): [Step(name: name, value: value ?? 1)]
        }
    }

    private static func id(_ number: Int32) -> UInt32 { UInt32(bitPattern: number) }
}
