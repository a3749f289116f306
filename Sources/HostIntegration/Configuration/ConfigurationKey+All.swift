// SPDX-License-Identifier: Apache-2.0

extension ConfigurationKey {
    /// All settings, in the order in which they are shown. `docs/deployment.md` says what each does.
    public static let all = [
        ConfigurationKey("source", option: "--source"),
        ConfigurationKey("camera.format"),
        ConfigurationKey("camera.size"),
        ConfigurationKey("camera.rate"),
        ConfigurationKey("camera.controls.*"),
        ConfigurationKey("keypads.*.driver", .choice(["console", "evdev", "gpio", "script"])),
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
        ConfigurationKey("screen.plain", .flag, option: "--plain"),
        ConfigurationKey("screen.language", option: "--language"),
        ConfigurationKey("screen.web-port", option: "--web"),
        ConfigurationKey("screen.web-keys", option: "--web-keys"),
        ConfigurationKey("screen.lights", option: "--lights"),
        ConfigurationKey("policy.minimum-pin-length", .choice(["4", "5", "6"]), option: "--minimum-pin-length"),
        ConfigurationKey("policy.weak-pins", .choice(["warn", "refuse"]), option: "--weak-pins"),
        ConfigurationKey("policy.identity-choice", .choice(["typed", "list"]), option: "--identity-choice"),
        ConfigurationKey("store.directory", option: "--state"),
        ConfigurationKey("store.key-file"),
        ConfigurationKey("trust-file"),
        ConfigurationKey("network.company-id", option: "--company-id"),
        ConfigurationKey("network.ca-file", option: "--ca-file"),
        ConfigurationKey("network.allow-loopback-http", .flag, option: "--allow-loopback-http"),
        ConfigurationKey(
            "log-level", .choice(["trace", "debug", "info", "notice", "warning", "error", "critical"]),
            option: "--log-level"),
    ]
}
