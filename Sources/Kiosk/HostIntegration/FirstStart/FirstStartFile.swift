// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
public import LinuxSystem

/// The drop-in that `login-kiosk setup` writes. A later run keeps what it does not change.
public struct FirstStartFile: Sendable {
    public static let name = "80-setup.yaml"
    /// The keypad that it configures.
    public static let keypad = "setup"

    private let folder: String
    public let path: String

    /// - Parameter directory: of the configuration.
    public init(in directory: String) {
        folder = SettingsFile.dropIns.path(in: directory)
        path = "\(folder)/\(FirstStartFile.name)"
    }

    /// Checks whether the file can be written, before a person answers questions.
    public func checkFolder() throws(FileFault) {
        var place = folder
        // Safe: the text is lent for the call.
        while unsafe access(place, F_OK) != 0, errno == ENOENT, let end = place.lastIndex(of: "/"),
            end > place.startIndex
        {
            place = String(place[..<end])
        }
        try OwnedFile.check(place, .unaltered, .directory)
        guard unsafe access(place, W_OK) == 0 else { throw FileFault(.refused(errno), path: place) }
    }

    /// The values of earlier runs by their settings' names.
    public func values() throws(ConfigurationProblem) -> [String: String] {
        let file = ConfigurationFile(reading: path)
        if let problem = file.problems.first { throw problem }
        return Dictionary(file.entries.map { ($0.name, $0.value) }) { $1 }
    }

    /// Changes some values and keeps the others. The file is replaced in one step.
    ///
    /// - Parameter changes: by their settings' names; nil removes one.
    public func write(_ changes: [String: String?]) throws {
        try makeFolder()
        let lock = try FileLock(path)
        defer { lock.release() }
        var values = try values()
        for (name, value) in changes { values[name] = value }
        try OwnedFile.replace(path, with: Array(FirstStartFile.text(values).utf8), mode: 0o644)
    }

    /// Readers of the settings may enter the folder.
    private func makeFolder() throws {
        // Safe: the text is lent for the call.
        guard unsafe access(folder, F_OK) != 0 else { return }
        try OwnedFile.makeDirectory(folder)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
    }

    /// The settings as YAML: a map for each group, each value in quotes.
    static func text(_ values: [String: String]) -> String {
        var text = "# Written by login-kiosk setup. Run it again to change this.\n"
        var open: [String] = []
        for (name, value) in values.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            let parts = ConfigurationKey.parts(name)
            let groups = Array(parts.dropLast())
            let common = zip(open, groups).prefix { $0 == $1 }.count
            for (depth, group) in groups.enumerated().dropFirst(common) {
                text += String(repeating: "  ", count: depth) + quoted(group) + ":\n"
            }
            open = groups
            text += String(repeating: "  ", count: groups.count) + "\(quoted(parts.last ?? "")): \(quoted(value))\n"
        }
        return text
    }

    /// A text in double quotes (YAML 1.2, 7.3.1); a plain word without.
    private static func quoted(_ text: String) -> String {
        let isWord = !text.isEmpty && text.utf8.allSatisfy { (0x61...0x7A).contains($0) } && text != "null"
        guard !isWord else { return text }
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case _ where scalar.properties.generalCategory == .control || scalar == "\u{2028}" || scalar == "\u{2029}":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
