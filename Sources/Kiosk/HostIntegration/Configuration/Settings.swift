// SPDX-License-Identifier: Apache-2.0

public import CurlTransport
public import DisplayLink
public import KioskMachine
public import Logging
public import LoginValues
import KioskPorts
import PersonalCards
public import Signage
public import Speech

/// All settings, in the order in which they are shown. `docs/deployment.md` explains each.
public struct Settings: Sendable {
    public static let all = Settings()

    public let source = Setting("source", .source, standard: "camera", option: "--source", .setup)
    public let camera = Camera()
    public let keypads = Keypads()
    public let doors = Doors()
    public let screen = Screen()
    public let policy = Policy()
    public let menu = Menu()
    public let signing = Signing()
    public let storeDirectory = Setting("store.directory", .text, option: "--state")
    public let storeKeyFile = Setting("store.key-file", .text)
    public let fleetKeyFile = Setting("fleet.key-file", .text)
    public let cardLifetime = Setting(
        "cards.lifetime", .number(CardPeriod.lifetimes, "a number of days"), standard: "\(CardPeriod.usualLifetime)",
        .setup)
    public let wantsSetup = Setting("provisioning.wanted", .flag, standard: "false")
    public let setupFolders = Setting(
        "provisioning.folders",
        SettingFormat("are absolute paths, separated by colons") { RemovableMedia(folders: $0) },
        standard: RemovableMedia.usualFolders)
    public let resetKeys = Setting("reset.keys", .keys(ResetKeys.counts))
    public let keepsRecord = Setting("audit.record", .flag, standard: "true", .setup)
    public let recordDirectory = Setting("audit.directory", .text)
    public let metricsPort = Setting("metrics.port", .port, .setup)
    public let trustFile = Setting("trust-file", .text, .reread)
    public let network = Network()
    public let logLevel = Setting(
        "log-level", .choice(of: Logger.Level.self), standard: "warning", option: "--log-level", .setup)

    public struct Camera: Sendable {
        public let format = Setting("camera.format", .cameraOption, .setup)
        public let size = Setting("camera.size", .cameraOption, .setup)
        public let rate = Setting("camera.rate", .cameraOption, .setup)
        /// Nil for never.
        public let restAfter = Setting("camera.rest-after", .minutes(5...1440), standard: "60", [.setup, .reread])
        public let variesExposure = Setting("camera.vary-exposure", .flag, standard: "true", .setup)
        public let controls = Setting("camera.controls.*", .cameraOption, .setup)
    }

    /// The fields of `KeypadSpecification`, which checks them together.
    public struct Keypads: Sendable {
        public let driver = Setting(
            "keypads.*.driver", .word(of: "console", "evdev", "gpio", "script", "touch"), .setup)
        private let others = [
            "usb", "path", "phys", "name", "chip", "rows", "columns", "layout", "active", "idle", "settle",
        ].map { Setting("keypads.*.\($0)", .text, .setup) }
        private let file = Setting("keypads.*.file", .text)
    }

    /// The fields of `DoorSettings`, which checks them together.
    public struct Doors: Sendable {
        private let addresses = ["service", "backend"].map { Setting("doors.*.\($0)", .text, .setup) }
        private let action = Setting("doors.*.action", .word(of: "gpio", "command", "webhook"), .setup)
        private let strike = ["chip", "line"].map { Setting("doors.*.\($0)", .text, .setup) }
        private let active = Setting("doors.*.active", .word(of: "high", "low"), .setup)
        private let pulse = Setting("doors.*.pulse", .text, .setup)
        private let program = ["command", "arguments.*"].map { Setting("doors.*.\($0)", .text) }
        private let url = Setting("doors.*.url", .text, .setup)
        private let tokenFile = Setting("doors.*.token-file", .text)
    }

    public struct Screen: Sendable {
        public let isPlain = Setting("screen.plain", .flag, standard: "false", option: "--plain", .setup)
        public let language = Setting("screen.language", .language(), option: "--language", .setup)
        public let webPort = Setting("screen.web-port", .port, option: "--web", .setup)
        public let webFile = Setting("screen.web-file", .text, option: "--web-file")
        public let hasWebKeys = Setting("screen.web-keys", .flag, standard: "false", option: "--web-keys", .setup)
        /// Nil for none.
        public let display = Setting("screen.display", .panel(), standard: "auto", option: "--display", .setup)
        public let rotation = Setting("screen.rotation", .one(of: [0, 90, 180, 270]), standard: "0", .setup)
        public let scale = Setting(
            "screen.scale", .number(DisplaySettings.scales, "a percentage"), standard: "100", .setup)
        public let hasLargeText = Setting(
            "screen.text", .words([("normal", false), ("large", true)]), standard: "normal", [.setup, .reread])
        public let hasHighContrast = Setting(
            "screen.contrast", .words([("normal", false), ("high", true)]), standard: "normal", [.setup, .reread])
        public let shufflesPad = Setting(
            "screen.pad", .words([("fixed", false), ("shuffled", true)]), standard: "fixed", .setup)
        public let mailDomains = Setting("screen.mail-domains", .mailDomains(DisplayView.Keyboard.mostDomains), .setup)
        public let lights = Setting("screen.lights", .lights(), option: "--lights", .setup)
        /// Nil for none.
        public let speech: Setting<SpeechOutput?> = Setting(
            "screen.speech", .words([("off", nil), ("headphones", .headphones), ("loudspeaker", .loudspeaker)]),
            standard: "off", option: "--speech", .setup)
        public let speechDevice = Setting(
            "screen.speech-device",
            SettingFormat("is the name of a device in ALSA") { $0.hasPrefix("-") ? nil : $0 }, .setup)
    }

    public struct Policy: Sendable {
        public let minimumPINLength = Setting(
            "policy.minimum-pin-length", .one(of: Pin.lengths), standard: "4", option: "--minimum-pin-length",
            [.setup, .reread])
        public let weakPINs = Setting(
            "policy.weak-pins", .choice(of: KioskPolicy.WeakPINs.self), standard: "warn", option: "--weak-pins",
            [.setup, .reread])
        public let identityChoice = Setting(
            "policy.identity-choice", .choice(of: KioskPolicy.IdentityChoice.self), standard: "typed",
            option: "--identity-choice", [.setup, .reread])
        public let registrationsPerHour = Setting(
            "policy.registrations-per-hour", .number(0...1000), standard: "30", [.setup, .reread])
    }

    /// The tasks of the menu: `menu.NAME`, in the menu's order. Those that depend on other settings have no default.
    public struct Menu: Sendable {
        /// The menu offers the task, does not offer it, or leaves it to cards.
        public enum Entry: String, Sendable, CaseIterable {
            case offered = "true"
            case hidden = "false"
            case card
        }

        private let entries = KioskTask.allCases.filter { $0.menuEntry != .ofDoors }.map(Menu.entry)

        public subscript(task: KioskTask) -> Setting<Entry?> { Menu.entry(task) }

        private static func entry(_ task: KioskTask) -> Setting<Entry?> {
            let (name, format) = ("menu.\(task.name)", SettingFormat.choice(of: Entry.self))
            return switch task.menuEntry {
            case .standard: Setting(name, format.optional, standard: "true", [.setup, .reread])
            case .onceWanted: Setting(name, format.optional, standard: "false", [.setup, .reread])
            case .onceConfigured, .ofDoors: Setting(name, format, [.setup, .reread])
            }
        }
    }

    public struct Signing: Sendable {
        public let application = Setting("signing.application", .address(), .setup)
        public let applicationService = Setting("signing.applications.*.service", .address(), .setup)
        public let applicationAddress = Setting("signing.applications.*.address", .address(), .setup)
        public let documentFile = Setting("signing.documents.*.file", .text, .setup)
        public let documentTitle = Setting("signing.documents.*.title", .text, .setup)
    }

    public struct Network: Sendable {
        public let companyID = Setting("network.company-id", .text, option: "--company-id", .setup)
        public let authorityFile = Setting("network.ca-file", .text, option: "--ca-file", [.setup, .reread])
        public let allowedAddresses = Setting("network.allowed-addresses", .networks(), [.setup, .reread])
        public let allowsLoopbackHTTP = Setting(
            "network.allow-loopback-http", .flag, standard: "false", option: "--allow-loopback-http",
            [.setup, .reread])
    }
}

extension ConfigurationKey {
    /// The keys of all ``Settings``.
    public static let all = keys(in: Settings.all)

    private static func keys(in group: Any) -> [ConfigurationKey] {
        Mirror(reflecting: group).children.flatMap { child in
            (child.value as? any AnySetting).map { [$0.key] } ?? keys(in: child.value)
        }
    }

    /// Settings of earlier versions: the reason for refusing each, and the remedy.
    static let gone = [
        "store.database":
            "is gone, kiosks share no database of identities: remove it, and give people personal cards (docs/cards.md)",
        "store.cache": "is gone together with store.database: remove it",
    ]
}
