// SPDX-License-Identifier: Apache-2.0

import CV4L2
import KioskPorts
import LinuxSystem

/// The controls of an open camera's light.
struct ExposureControls: Sendable {
    private let number: Int32
    private let system: any VideoSystem
    /// Controls that the operator has set.
    private let kept: [CameraSettings.Control]

    init(number: Int32, system: any VideoSystem, keeping kept: [CameraSettings.Control]) {
        self.number = number
        self.system = system
        // "auto" leaves the control to the camera.
        self.kept = kept.filter { $0.value != nil }
    }

    /// Reads the controls that can be set. A control with invalid values is treated as missing.
    func read() -> ExposureReading {
        ExposureReading(
            mode: control(V4L2_CID_EXPOSURE_AUTO), exposure: control(V4L2_CID_EXPOSURE_ABSOLUTE, mayRest: true),
            maySlowDown: value(of: UInt32(V4L2_CID_EXPOSURE_AUTO_PRIORITY)) == 1,
            autoGain: control(V4L2_CID_AUTOGAIN), gain: control(V4L2_CID_GAIN, mayRest: true),
            brightness: control(V4L2_CID_BRIGHTNESS))
    }

    func set(_ setting: ControlSetting) throws(SystemFailure) {
        var control = v4l2_control(id: setting.id, value: setting.value)
        try system.controlUninterrupted(number, UInt(cv4l2_set_control), &control)
    }

    /// - Returns: nil when the camera does not report it.
    func value(of id: UInt32) -> Int32? {
        var control = v4l2_control(id: id, value: 0)
        do throws(SystemFailure) {
            try system.controlUninterrupted(number, UInt(cv4l2_get_control), &control)
            return control.value
        } catch { return nil }
    }

    /// - Parameter mayRest: whether the control may be inactive, as one is while the camera regulates it.
    private func control(_ id: Int32, mayRest: Bool = false) -> ExposureReading.Control? {
        var query = v4l2_queryctrl()
        query.id = UInt32(bitPattern: id)
        do throws(SystemFailure) {
            try system.controlUninterrupted(number, UInt(cv4l2_query_control), &query)
        } catch { return nil }
        var unfit = V4L2_CTRL_FLAG_DISABLED | V4L2_CTRL_FLAG_GRABBED | V4L2_CTRL_FLAG_READ_ONLY
        unfit |= V4L2_CTRL_FLAG_WRITE_ONLY | (mayRest ? 0 : V4L2_CTRL_FLAG_INACTIVE)
        guard query.id == UInt32(bitPattern: id), query.flags & UInt32(unfit) == 0, query.minimum < query.maximum,
            !isKept(query), let value = value(of: query.id), (query.minimum...query.maximum).contains(value)
        else { return nil }
        return ExposureReading.Control(
            id: query.id, minimum: Int(query.minimum), maximum: Int(query.maximum), step: Int(query.step),
            value: Int(value))
    }

    private func isKept(_ query: v4l2_queryctrl) -> Bool {
        let name = VideoDevice.name(CText.string(query.name))
        return kept.contains { one in
            ControlAlias.steps(one).contains { $0.id == query.id || $0.name == name }
        }
    }
}
