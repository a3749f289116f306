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

    public let source = Setting("source", .source, standard: "camera", option: "--source", .profile)
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
        .profile)
    public let wantsProfile = Setting("provisioning.wanted", .flag, standard: "false")
    public let profileFolders = Setting(
        "provisioning.folders",
        SettingFormat("are absolute paths, separated by colons") { RemovableMedia(folders: $0) },
        standard: RemovableMedia.usualFolders)
    public let resetKeys = Setting("reset.keys", .keys(ResetKeys.counts))
    public let keepsAuditLog = Setting("audit.log", .flag, standard: "true", .profile)
    public let auditDirectory = Setting("audit.directory", .text)
    public let metricsPort = Setting("metrics.port", .port, .profile)
    public let trustFile = Setting("trust-file", .text, .reread)
    public let network = Network()
    public let logLevel = Setting(
        "log-level", .choice(of: Logger.Level.self), standard: "warning", option: "--log-level", .profile)

    public struct Camera: Sendable {
        public let format = Setting("camera.format", .cameraOption, .profile)
        public let size = Setting("camera.size", .cameraOption, .profile)
        public let rate = Setting("camera.rate", .cameraOption, .profile)
        /// Nil for never.
        public let restAfter = Setting("camera.rest-after", .minutes(5...1440), standard: "60", [.profile, .reread])
        public let variesExposure = Setting("camera.vary-exposure", .flag, standard: "true", .profile)
        public let controls = Setting("camera.controls.*", .cameraOption, .profile)
    }

    /// The fields of `KeypadSpecification`, which checks them together.
    public struct Keypads: Sendable {
        public let driver = Setting(
            "keypads.*.driver", .word(of: "console", "evdev", "gpio", "script", "touch"), .profile)
        private let others = [
            "usb", "path", "phys", "name", "chip", "rows", "columns", "layout", "active", "idle", "settle",
        ].map { Setting("keypads.*.\($0)", .text, .profile) }
        private let file = Setting("keypads.*.file", .text)
    }

    /// The fields of `DoorSettings`, which checks them together.
    public struct Doors: Sendable {
        private let addresses = ["service", "backend"].map { Setting("doors.*.\($0)", .text, .profile) }
        private let action = Setting("doors.*.action", .word(of: "gpio", "command", "webhook"), .profile)
        private let strike = ["chip", "line"].map { Setting("doors.*.\($0)", .text, .profile) }
        private let active = Setting("doors.*.active", .word(of: "high", "low"), .profile)
        private let pulse = Setting("doors.*.pulse", .text, .profile)
        private let program = ["command", "arguments.*"].map { Setting("doors.*.\($0)", .text) }
        private let url = Setting("doors.*.url", .text, .profile)
        private let tokenFile = Setting("doors.*.token-file", .text)
    }

    public struct Screen: Sendable {
        public let isPlain = Setting("screen.plain", .flag, standard: "false", option: "--plain", .profile)
        public let language = Setting("screen.language", .language(), option: "--language", .profile)
        public let webPort = Setting("screen.web-port", .port, option: "--web", .profile)
        public let webFile = Setting("screen.web-file", .text, option: "--web-file")
        public let hasWebKeys = Setting("screen.web-keys", .flag, standard: "false", option: "--web-keys", .profile)
        /// Nil for none.
        public let display = Setting("screen.display", .panel(), standard: "auto", option: "--display", .profile)
        public let rotation = Setting("screen.rotation", .one(of: [0, 90, 180, 270]), standard: "0", .profile)
        public let scale = Setting(
            "screen.scale", .number(DisplaySettings.scales, "a percentage"), standard: "100", .profile)
        public let hasLargeText = Setting(
            "screen.text", .words([("normal", false), ("large", true)]), standard: "normal", [.profile, .reread])
        public let hasHighContrast = Setting(
            "screen.contrast", .words([("normal", false), ("high", true)]), standard: "normal", [.profile, .reread])
        public let shufflesPad = Setting(
            "screen.pad", .words([("fixed", false), ("shuffled", true)]), standard: "fixed", .profile)
        public let mailDomains = Setting(
            "screen.mail-domains", .mailDomains(DisplayView.Keyboard.mostDomains), .profile)
        public let lights = Setting("screen.lights", .lights(), option: "--lights", .profile)
        /// Nil for none.
        public let speech: Setting<SpeechOutput?> = Setting(
            "screen.speech", .words([("off", nil), ("headphones", .headphones), ("loudspeaker", .loudspeaker)]),
            standard: "off", option: "--speech", .profile)
        public let speechDevice = Setting(
            "screen.speech-device",
            SettingFormat("is the name of a device in ALSA") { $0.hasPrefix("-") ? nil : $0 }, .profile)
    }

    public struct Policy: Sendable {
        public let minimumPINLength = Setting(
            "policy.minimum-pin-length", .one(of: Pin.lengths), standard: "4", option: "--minimum-pin-length",
            [.profile, .reread])
        public let weakPINs = Setting(
            "policy.weak-pins", .choice(of: KioskPolicy.WeakPINs.self), standard: "warn", option: "--weak-pins",
            [.profile, .reread])
        public let identityChoice = Setting(
            "policy.identity-choice", .choice(of: KioskPolicy.IdentityChoice.self), standard: "typed",
            option: "--identity-choice", [.profile, .reread])
        public let registrationsPerHour = Setting(
            "policy.registrations-per-hour", .number(0...1000), standard: "30", [.profile, .reread])
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
            case .standard: Setting(name, format.optional, standard: "true", [.profile, .reread])
            case .onceWanted: Setting(name, format.optional, standard: "false", [.profile, .reread])
            case .onceConfigured, .ofDoors: Setting(name, format, [.profile, .reread])
            }
        }
    }

    public struct Signing: Sendable {
        public let application = Setting("signing.application", .address(), .profile)
        public let applicationService = Setting("signing.applications.*.service", .address(), .profile)
        public let applicationAddress = Setting("signing.applications.*.address", .address(), .profile)
        public let documentFile = Setting("signing.documents.*.file", .text, .profile)
        public let documentTitle = Setting("signing.documents.*.title", .text, .profile)
    }

    public struct Network: Sendable {
        public let companyID = Setting("network.company-id", .text, option: "--company-id", .profile)
        public let authorityFile = Setting("network.ca-file", .text, option: "--ca-file", [.profile, .reread])
        public let allowedAddresses = Setting("network.allowed-addresses", .networks(), [.profile, .reread])
        public let allowsLoopbackHTTP = Setting(
            "network.allow-loopback-http", .flag, standard: "false", option: "--allow-loopback-http",
            [.profile, .reread])
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
            "is gone, kiosks share no database of identities: remove it, and give people cards: login-kiosk card --help",
        "store.cache": "is gone together with store.database: remove it",
    ]
}
