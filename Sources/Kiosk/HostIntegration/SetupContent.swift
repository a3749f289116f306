// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinuxSystem
public import LoginValues
public import Provisioning

extension SetupDirectory {
    /// The settings that a setup may contain. All others are the machine's own: the paths of the kiosk's files, files
    /// that it writes or sends, programs that it runs, and the rules of setup and reset.
    static let allowed: Set<String> = Set(
        [
            "source", "camera.format", "camera.size", "camera.rate", "camera.rest-after", "camera.vary-exposure",
            "camera.controls.*", "keypads.*.driver", "keypads.*.usb",
            "keypads.*.path", "keypads.*.phys", "keypads.*.name", "keypads.*.chip",
            "keypads.*.rows", "keypads.*.columns", "keypads.*.layout", "keypads.*.active", "keypads.*.idle",
            "keypads.*.settle", "doors.*.service", "doors.*.backend", "doors.*.action", "doors.*.chip", "doors.*.line",
            "doors.*.active", "doors.*.pulse", "doors.*.url", "screen.plain", "screen.language", "screen.web-port",
            "screen.web-keys", "screen.display", "screen.rotation", "screen.scale", "screen.text", "screen.contrast",
            "screen.pad", "screen.mail-domains", "screen.lights", "screen.speech", "screen.speech-device",
            "policy.minimum-pin-length", "policy.weak-pins",
            "policy.identity-choice", "policy.registrations-per-hour", "cards.lifetime", "signing.application",
            "signing.applications.*.service",
            "signing.applications.*.address", "signing.documents.*.file", "signing.documents.*.title",
            "audit.record", "metrics.port", "network.company-id", "network.ca-file",
            "network.allow-loopback-http", "network.allowed-addresses", "log-level",
        ] + ConfigurationKey.all.map(\.name).filter { $0.hasPrefix("menu.") })

    /// Checks a setup without the kiosk that it is for: each setting by itself, and the trust list.
    public static func check(_ setup: Setup) throws(SetupFailure) {
        let settings = ConfigurationFile(path: "settings", content: Data(setup.settings.utf8))
        if let problem = settings.problems.first { throw .settings(problem) }
        let refused = settings.entries.first { entry in
            ConfigurationKey.named(entry.name).map { !allowed.contains($0.name) } ?? true
        }
        if let refused {
            throw .settings(
                ConfigurationProblem(
                    "'\(refused.name)' is the kiosk's own to say, not a setup's",
                    at: .file(path: "settings", line: refused.line)))
        }
        do throws(TrustFileError) { _ = try services(of: setup) } catch { throw .trust(error) }
    }

    /// The services that a setup allows; nil when it keeps the kiosk's own list.
    public static func services(of setup: Setup) throws(TrustFileError) -> [TrustLine]? {
        guard let trust = setup.trust else { return nil }
        return try TrustFile(path: "trust list").services(of: trust)
    }
}
