// SPDX-License-Identifier: Apache-2.0

import KioskMachine

extension ConfigurationKey {
    /// All settings, in the order in which they are shown. `docs/deployment.md` explains each.
    public static let all = devicesAndPolicy + menu + signingAndMachine

    private static let devicesAndPolicy = [
        ConfigurationKey("source", standard: "camera", option: "--source"),
        ConfigurationKey("camera.format"),
        ConfigurationKey("camera.size"),
        ConfigurationKey("camera.rate"),
        ConfigurationKey("camera.rest-after", standard: "60", isReread: true),
        ConfigurationKey("camera.vary-exposure", .flag, standard: "true"),
        ConfigurationKey("camera.controls.*"),
        ConfigurationKey("keypads.*.driver", .choice(["console", "evdev", "gpio", "script", "touch"])),
        ConfigurationKey("keypads.*.usb"),
        ConfigurationKey("keypads.*.path"),
        ConfigurationKey("keypads.*.phys"),
        ConfigurationKey("keypads.*.name"),
        ConfigurationKey("keypads.*.chip"),
        ConfigurationKey("keypads.*.rows"),
        ConfigurationKey("keypads.*.columns"),
        ConfigurationKey("keypads.*.layout"),
        ConfigurationKey("keypads.*.active"),
        ConfigurationKey("keypads.*.idle"),
        ConfigurationKey("keypads.*.settle"),
        ConfigurationKey("keypads.*.file"),
        ConfigurationKey("doors.*.service"),
        ConfigurationKey("doors.*.backend"),
        ConfigurationKey("doors.*.action", .choice(["gpio", "command", "webhook"])),
        ConfigurationKey("doors.*.chip"),
        ConfigurationKey("doors.*.line"),
        ConfigurationKey("doors.*.active", .choice(["high", "low"])),
        ConfigurationKey("doors.*.pulse"),
        ConfigurationKey("doors.*.command"),
        ConfigurationKey("doors.*.arguments.*"),
        ConfigurationKey("doors.*.url"),
        ConfigurationKey("doors.*.token-file"),
        ConfigurationKey("screen.plain", .flag, standard: "false", option: "--plain"),
        ConfigurationKey("screen.language", option: "--language"),
        ConfigurationKey("screen.web-port", option: "--web"),
        ConfigurationKey("screen.web-file", option: "--web-file"),
        ConfigurationKey("screen.web-keys", .flag, standard: "false", option: "--web-keys"),
        ConfigurationKey("screen.display", standard: "auto", option: "--display"),
        ConfigurationKey("screen.rotation", .choice(["0", "90", "180", "270"]), standard: "0"),
        ConfigurationKey("screen.scale", standard: "100"),
        ConfigurationKey("screen.text", .choice(["normal", "large"]), standard: "normal", isReread: true),
        ConfigurationKey("screen.contrast", .choice(["normal", "high"]), standard: "normal", isReread: true),
        ConfigurationKey("screen.pad", .choice(["fixed", "shuffled"]), standard: "fixed"),
        ConfigurationKey("screen.mail-domains"),
        ConfigurationKey("screen.lights", option: "--lights"),
        ConfigurationKey(
            "screen.speech", .choice(["off", "headphones", "loudspeaker"]), standard: "off", option: "--speech"),
        ConfigurationKey("screen.speech-device"),
        ConfigurationKey(
            "policy.minimum-pin-length", .choice(["4", "5", "6"]), standard: "4", option: "--minimum-pin-length",
            isReread: true),
        ConfigurationKey(
            "policy.weak-pins", .choice(["warn", "refuse"]), standard: "warn", option: "--weak-pins", isReread: true),
        ConfigurationKey(
            "policy.identity-choice", .choice(["typed", "list"]), standard: "typed", option: "--identity-choice",
            isReread: true),
        ConfigurationKey("policy.registrations-per-hour", standard: "30", isReread: true),
    ]

    /// Settings of earlier versions: the reason for refusing each, and the remedy.
    static let gone = [
        "store.database":
            "is gone, kiosks share no database of identities: remove it, and give people personal cards (docs/cards.md)",
        "store.cache": "is gone together with store.database: remove it",
    ]

    /// The menu offers the errand, does not offer it, or leaves it to cards.
    private static let menuChoices = ["true", "false", "card"]

    /// The errands of the menu: `menu.NAME`, in the menu's order. Those that depend on other settings have no default.
    private static let menu = Errand.allCases.compactMap { errand in
        switch errand.menuEntry {
        case .standard:
            ConfigurationKey("menu.\(errand.name)", .choice(menuChoices), standard: "true", isReread: true)
        case .onceWanted:
            ConfigurationKey("menu.\(errand.name)", .choice(menuChoices), standard: "false", isReread: true)
        case .onceConfigured: ConfigurationKey("menu.\(errand.name)", .choice(menuChoices), isReread: true)
        case .ofDoors: nil
        }
    }

    private static let signingAndMachine = [
        ConfigurationKey("signing.application"),
        ConfigurationKey("signing.applications.*.service"),
        ConfigurationKey("signing.applications.*.address"),
        ConfigurationKey("signing.documents.*.file"),
        ConfigurationKey("signing.documents.*.title"),
        ConfigurationKey("store.directory", option: "--state"),
        ConfigurationKey("store.key-file"),
        ConfigurationKey("fleet.key-file"),
        ConfigurationKey("cards.lifetime", standard: "365"),
        ConfigurationKey("provisioning.wanted", .flag, standard: "false"),
        ConfigurationKey("provisioning.folders", standard: BroughtFiles.usualFolders),
        ConfigurationKey("reset.keys"),
        ConfigurationKey("audit.record", .flag, standard: "true"),
        ConfigurationKey("audit.directory"),
        ConfigurationKey("metrics.port"),
        ConfigurationKey("trust-file", isReread: true),
        ConfigurationKey("network.company-id", option: "--company-id"),
        ConfigurationKey("network.ca-file", option: "--ca-file", isReread: true),
        ConfigurationKey("network.allowed-addresses", isReread: true),
        ConfigurationKey(
            "network.allow-loopback-http", .flag, standard: "false", option: "--allow-loopback-http", isReread: true),
        ConfigurationKey(
            "log-level", .choice(["trace", "debug", "info", "notice", "warning", "error", "critical"]),
            standard: "warning", option: "--log-level"),
    ]
}
