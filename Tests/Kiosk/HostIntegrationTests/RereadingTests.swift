// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import HostIntegration

@Suite("Reloading settings") struct RereadingTests {
    private static func configuration(_ settings: [String: String]) -> KioskConfiguration {
        KioskConfiguration(directory: nil, state: "/s", environment: [:], options: settings)
    }

    @Test("A running kiosk takes what it can, and names the settings that need a restart")
    func both() {
        let old = Self.configuration([
            "source": "camera", "policy.weak-pins": "warn", "trust-file": "/a", "screen.lights": "x",
            "menu.signing": "true", "signing.application": "https://a.example",
        ])
        let newer = Self.configuration([
            "source": "/dev/video2", "policy.weak-pins": "refuse", "trust-file": "/b", "menu.signing": "false",
            "signing.application": "https://b.example", "network.ca-file": "/ca.pem",
        ])
        let (configuration, deferred) = old.reread(newer)
        #expect(configuration.text("policy.weak-pins") == "refuse" && configuration.text("trust-file") == "/b")
        #expect(configuration.text("menu.signing") == "false" && configuration.text("network.ca-file") == "/ca.pem")
        #expect(configuration.text("source") == "camera" && configuration.text("screen.lights") == "x")
        #expect(configuration.text("signing.application") == "https://a.example")
        #expect(deferred == ["screen.lights", "signing.application", "source"])
        // A deferred setting stays deferred, and one that was reverted does not.
        #expect(configuration.reread(newer).deferred == deferred)
        #expect(configuration.reread(old).deferred.isEmpty)
        #expect(configuration.reread(old).configuration.settings == old.settings)
    }
}
