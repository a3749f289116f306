// SPDX-License-Identifier: Apache-2.0

import LoginValues

/// The settings of one door. Each is taken once; settings that remain are unknown.
struct DoorFields {
    private var rest: [String: String]

    init(_ fields: [String: String]) { rest = fields }

    mutating func optionalText(_ field: String) throws(DoorSettingsError) -> String? {
        guard let text = rest.removeValue(forKey: field) else { return nil }
        guard (1...DoorSettings.maximumLength).contains(text.utf8.count), !text.utf8.contains(0) else {
            throw DoorSettingsError(field, "is a text of at most \(DoorSettings.maximumLength) bytes")
        }
        return text
    }

    mutating func text(_ field: String) throws(DoorSettingsError) -> String {
        guard let text = try optionalText(field) else { throw DoorSettingsError(field, "is missing") }
        return text
    }

    mutating func optionalWord(_ field: String, of words: [String]) throws(DoorSettingsError) -> String? {
        guard let word = try optionalText(field) else { return nil }
        guard words.contains(word) else {
            throw DoorSettingsError(field, "is one of \(words.joined(separator: ", "))")
        }
        return word
    }

    mutating func word(_ field: String, of words: [String]) throws(DoorSettingsError) -> String {
        guard let word = try optionalWord(field, of: words) else {
            throw DoorSettingsError(field, "is missing: one of \(words.joined(separator: ", "))")
        }
        return word
    }

    mutating func optionalAddress(_ field: String) throws(DoorSettingsError) -> WebAddress? {
        guard let text = try optionalText(field) else { return nil }
        do throws(WebAddressError) { return try WebAddress(text) } catch {
            throw DoorSettingsError(field, "is not a web address such as https://example.com: \(error.rawValue)")
        }
    }

    mutating func address(_ field: String) throws(DoorSettingsError) -> WebAddress {
        guard let address = try optionalAddress(field) else {
            throw DoorSettingsError(field, "is missing: a web address such as https://example.com")
        }
        return address
    }

    mutating func optionalPath(_ field: String) throws(DoorSettingsError) -> String? {
        guard let path = try optionalText(field) else { return nil }
        guard path.hasPrefix("/") else { throw DoorSettingsError(field, "is a path from the root: it begins with /") }
        return path
    }

    mutating func path(_ field: String) throws(DoorSettingsError) -> String {
        guard let path = try optionalPath(field) else {
            throw DoorSettingsError(field, "is missing: a path from the root")
        }
        return path
    }

    /// Seconds with a point and up to three decimals, perhaps followed by `s`.
    mutating func optionalPulse() throws(DoorSettingsError) -> Duration? {
        let field = "pulse"
        guard let text = try optionalText(field) else { return nil }
        let number = text.hasSuffix("s") ? text.dropLast() : text[...]
        let parts = number.split(separator: ".", omittingEmptySubsequences: false)
        let (whole, decimals) = (parts[0], parts.count == 2 ? parts[1] : "0")
        guard parts.count <= 2, (1...3).contains(whole.utf8.count), (1...3).contains(decimals.utf8.count),
            (whole + decimals).utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let milliseconds = Int(whole + decimals + String(repeating: "0", count: 3 - decimals.utf8.count))
        else { throw DoorSettingsError(field, "is a time in seconds, such as 3 or 0.5") }
        let pulse = Duration.milliseconds(milliseconds)
        guard DoorSettings.pulses.contains(pulse) else { throw DoorSettingsError(field, "is 0.1 to 60 seconds") }
        return pulse
    }

    /// `arguments.1`, `arguments.2` and so on, without a gap.
    mutating func arguments() throws(DoorSettingsError) -> [String] {
        let group = "arguments."
        var arguments: [String] = []
        while let argument = rest.removeValue(forKey: "\(group)\(arguments.count + 1)") {
            guard argument.utf8.count <= DoorSettings.maximumLength, !argument.utf8.contains(0),
                arguments.count < DoorSettings.maximumArguments
            else {
                throw DoorSettingsError(
                    "arguments",
                    "are at most \(DoorSettings.maximumArguments) of at most \(DoorSettings.maximumLength) bytes")
            }
            arguments.append(argument)
        }
        if rest.keys.contains(where: { $0.hasPrefix(group) }) {
            throw DoorSettingsError("arguments", "are numbered 1, 2, 3 and so on, without a gap")
        }
        return arguments
    }

    func requireEmpty() throws(DoorSettingsError) {
        guard let field = rest.keys.min() else { return }
        throw DoorSettingsError(field, "does not belong to this action")
    }
}
