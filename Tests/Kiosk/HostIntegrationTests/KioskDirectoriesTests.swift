// SPDX-License-Identifier: Apache-2.0

import HostIntegration
import Testing

@Suite struct KioskDirectoriesTests {
    @Test(arguments: [
        (["HOME": "/home/k"], "/home/k/.local/state/login-kiosk", "/home/k/.config/login-kiosk"),
        (["HOME": "/home/k", "XDG_STATE_HOME": "/s", "XDG_CONFIG_HOME": "/c"], "/s/login-kiosk", "/c/login-kiosk"),
        (
            ["HOME": "/home/k", "XDG_STATE_HOME": "relative"], "/home/k/.local/state/login-kiosk",
            "/home/k/.config/login-kiosk"
        ),
        (
            ["STATE_DIRECTORY": "/var/lib/login-kiosk:/var/lib/login-kiosk-key", "CONFIGURATION_DIRECTORY": "/etc/lk"],
            "/var/lib/login-kiosk", "/etc/lk"
        ),
    ])
    func usual(environment: [String: String], state: String, configuration: String) {
        #expect(KioskDirectories.usualState(in: environment) == state)
        #expect(KioskDirectories.usualConfiguration(in: environment, isInstalled: false) == configuration)
    }

    @Test("All commands use the installed kiosk")
    func installed() {
        let home = ["HOME": "/home/k"]
        #expect(KioskDirectories.usualConfiguration(in: home, isInstalled: true) == "/etc/login-kiosk")
        let assigned = ["HOME": "/home/k", "CONFIGURATION_DIRECTORY": "/etc/lk"]
        #expect(KioskDirectories.usualConfiguration(in: assigned, isInstalled: true) == "/etc/lk")
    }

    @Test func homeless() {
        #expect(KioskDirectories.usualState(in: ["HOME": ""]) == nil)
        #expect(KioskDirectories.usualConfiguration(in: ["HOME": ""], isInstalled: false) == nil)
    }
}
