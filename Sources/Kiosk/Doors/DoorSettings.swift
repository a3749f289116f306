// SPDX-License-Identifier: Apache-2.0

public import LoginValues

/// A door as configured: `doors: {NAME: {service: URL, action: WORD, ...}}`.
public struct DoorSettings: Sendable, Hashable {
    public enum Action: Sendable, Hashable {
        /// A pulse at a GPIO line.
        case gpio(Strike)
        /// A program, by its absolute path, with its arguments.
        case command(String, arguments: [String])
        /// A request to another server.
        case webhook(WebAddress, tokenFile: String?)
    }

    public struct Strike: Sendable, Hashable {
        /// Nil for the usual chip.
        public let chip: String?
        public let line: String
        public let isActiveLow: Bool
        public let pulse: Duration
    }

    static let pulses = Duration.milliseconds(100)...Duration.seconds(60)
    static let maximumArguments = 32
    static let maximumLength = 1024

    /// The door's name in the menu.
    public let name: String
    /// The application's own server, the address above `/authzurl` and `/authtoken`.
    public let service: WebAddress
    /// The platform at which the application logs its people in; nil if the service names it.
    public let backend: WebAddress?
    public let action: Action

    /// - Parameters:
    ///   - name: 1 to 32 visible characters, blanks inside.
    ///   - fields: the settings by name, those of a group with a point: `arguments.1`.
    public init(_ name: String, fields: [String: String]) throws(DoorSettingsError) {
        guard (1...32).contains(name.count), name.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }), !name.hasPrefix(" "),
            !name.hasSuffix(" ")
        else { throw DoorSettingsError(nil, "a door's name has 1 to 32 visible characters") }
        var fields = DoorFields(fields)
        self.name = name
        service = try fields.address("service")
        backend = try fields.optionalAddress("backend")
        switch try fields.word("action", of: ["gpio", "command", "webhook"]) {
        case "gpio": action = .gpio(try Strike(&fields))
        case "command": action = .command(try fields.path("command"), arguments: try fields.arguments())
        default: action = .webhook(try fields.address("url"), tokenFile: try fields.optionalPath("token-file"))
        }
        try fields.requireEmpty()
    }
}

extension DoorSettings.Strike {
    fileprivate init(_ fields: inout DoorFields) throws(DoorSettingsError) {
        line = try fields.text("line")
        chip = try fields.optionalText("chip")
        isActiveLow = try fields.optionalWord("active", of: ["high", "low"]) == "low"
        pulse = try fields.optionalPulse() ?? .seconds(3)
    }
}

/// A fault in a door's settings, and the right form.
public struct DoorSettingsError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The setting at fault; nil for the door as a whole.
    public let field: String?
    public let problem: String

    init(_ field: String?, _ problem: String) {
        self.field = field
        self.problem = problem
    }

    public var description: String { field.map { "'\($0)' \(problem)" } ?? problem }
}
