// SPDX-License-Identifier: Apache-2.0

import CV4L2
import Glibc
import KioskPorts

/// The controls of a camera's light as the camera reports them, and the values that make its pictures brighter or
/// darker.
struct ExposureReading: Equatable {
    /// A control that can be read and set.
    struct Control: Equatable {
        var id: UInt32
        var minimum: Int
        var maximum: Int
        var step = 1
        var value: Int

        /// The value that the control has nearest to `wanted`.
        func nearest(to wanted: Double) -> Int {
            let bounded = Int(min(max(wanted, Double(minimum)), Double(maximum)).rounded())
            let size = max(step, 1)
            return min(minimum + (bounded - minimum + size / 2) / size * size, maximum)
        }

        func setting(to value: Int, _ kind: ControlSetting.Kind = .lasting) -> ControlSetting {
            ControlSetting(id: id, value: Int32(clamping: value), kind: kind)
        }
    }

    /// The longest exposure at which a camera keeps 30 and 15 frames a second, in V4L2's units of 100 microseconds.
    private static let usualLongest = 333
    private static let slowLongest = 666
    /// The parts of a gain's or brightness's range that count as a stop: its unit is each driver's own.
    private static let stopsOfRange = 8.0

    /// `V4L2_CID_EXPOSURE_AUTO`.
    var mode: Control?
    /// `V4L2_CID_EXPOSURE_ABSOLUTE`.
    var exposure: Control?
    /// `V4L2_CID_EXPOSURE_AUTO_PRIORITY`: whether the camera may film more slowly to have more light.
    var maySlowDown = false
    var autoGain: Control?
    var gain: Control?
    var brightness: Control?

    /// Whether the camera regulates its exposure. In the other modes a person has set it.
    private var isExposureRegulated: Bool {
        [V4L2_EXPOSURE_AUTO, V4L2_EXPOSURE_APERTURE_PRIORITY].contains { Int($0.rawValue) == mode?.value }
    }

    /// The exposure, where the camera regulates it.
    private var variedExposure: Control? { isExposureRegulated ? exposure.flatMap { $0.value > 0 ? $0 : nil } : nil }

    /// The gain, where the camera regulates it by itself or with the exposure.
    private var variedGain: Control? {
        guard let gain else { return nil }
        return (autoGain.map { $0.value != 0 } ?? (variedExposure != nil)) ? gain : nil
    }

    /// The brightness, of a camera that has nothing else.
    private var variedBrightness: Control? { mode == nil && autoGain == nil && gain == nil ? brightness : nil }

    /// Whether any control is there to vary, and the camera's to regulate.
    var isVariable: Bool { variedExposure != nil || variedGain != nil || variedBrightness != nil }

    /// The settings that switch the camera's own regulation off.
    var takeover: [ControlSetting] {
        var settings: [ControlSetting] = []
        if variedExposure != nil, let mode { settings.append(mode.setting(to: Int(V4L2_EXPOSURE_MANUAL.rawValue))) }
        if variedGain != nil, let autoGain { settings.append(autoGain.setting(to: 0)) }
        return settings
    }

    /// The settings that give the light back to the camera's own regulation, as it was read.
    var handBack: [ControlSetting] {
        var settings: [ControlSetting] = []
        if let exposure = variedExposure { settings.append(exposure.setting(to: exposure.value, .chosenAgain)) }
        if let gain = variedGain {
            settings.append(gain.setting(to: gain.value, autoGain == nil ? .lasting : .chosenAgain))
        }
        if let brightness = variedBrightness { settings.append(brightness.setting(to: brightness.value)) }
        if variedGain != nil, let autoGain { settings.append(autoGain.setting(to: autoGain.value, .regulation)) }
        if variedExposure != nil, let mode { settings.append(mode.setting(to: mode.value, .regulation)) }
        return settings
    }

    /// The settings for a picture with `stops` more light than the regulation chose. The exposure comes first, and the
    /// gain gives what it cannot.
    func settings(for stops: Int) -> [ControlSetting] {
        var settings: [ControlSetting] = []
        var rest = Double(stops)
        if let exposure = variedExposure {
            let longest = max(maySlowDown ? ExposureReading.slowLongest : ExposureReading.usualLongest, exposure.value)
            let wanted = Double(exposure.value) * exp2(Double(stops))
            let value = exposure.nearest(to: min(wanted, Double(longest)))
            settings.append(exposure.setting(to: value))
            rest -= log2(Double(max(value, 1)) / Double(exposure.value))
        }
        for control in [variedGain, variedBrightness].compactMap({ $0 }) {
            let stop = Double(control.maximum - control.minimum) / ExposureReading.stopsOfRange
            // A rest from rounding is too small to move the gain.
            let part = abs(rest) < 0.5 ? 0 : rest
            settings.append(control.setting(to: control.nearest(to: Double(control.value) + part * stop)))
        }
        return settings
    }
}
