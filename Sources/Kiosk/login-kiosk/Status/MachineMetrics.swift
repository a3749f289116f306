// SPDX-License-Identifier: Apache-2.0

import HostIntegration
import MetricsService

/// Measures the devices and the store of the machine.
struct MachineMetrics {
    let camera = Gauge("login_kiosk_camera_up", "Whether the camera gives pictures.")
    let keypad = Gauge("login_kiosk_keypad_up", "Whether the keypad works.")
    let identities = Gauge("login_kiosk_identities", "Identities of people on this kiosk.")
    let heat = Gauge("login_kiosk_temperature_celsius", "The highest temperature that the machine measures.") {
        HeatCheck.celsius(SystemTree())
    }
    let underVoltage = Gauge("login_kiosk_under_voltage", "Whether a Raspberry Pi gets too little power now.") {
        PowerCheck.isTooLittle(SystemTree()).map { $0 ? 1 : 0 }
    }

    /// In output order.
    var all: [any Metric] { [camera, keypad, identities, heat, underVoltage] }
}
