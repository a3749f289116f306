// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The rooms and the arrows between them, as `Package.swift` has them: SwiftPM itself is asked.
struct House {
    struct Room {
        var name: String
        /// Rooms and products of packages.
        var uses: Set<String>
    }

    /// Tests have no arrows of their own.
    var rooms: [Room]

    func room(_ name: String) throws -> Room {
        try #require(rooms.first { $0.name == name }, "Package.swift has no room \(name)")
    }

    /// Everything that a room stands on, over any number of rooms.
    func reach(of name: String) -> Set<String> {
        var reached: Set<String> = []
        var waiting = [name]
        while let next = waiting.popLast() {
            for used in rooms.first(where: { $0.name == next })?.uses ?? [] where reached.insert(used).inserted {
                waiting.append(used)
            }
        }
        return reached
    }

    /// Module maps and shims, which stand on C libraries alone.
    static func isCLibrary(_ name: String) -> Bool {
        name.hasPrefix("C") && name.dropFirst().first?.isUppercase == true
    }

    /// Read once: it takes SwiftPM seconds.
    static var built: House {
        get throws { try reading.get() }
    }

    private static let reading = Result { try House(description: describe()) }

    private init(description: Data) throws {
        let package = try JSONDecoder().decode(PackageDescription.self, from: description)
        rooms = package.targets.filter { $0.type == "regular" || $0.type == "executable" }.map { target in
            Room(name: target.name, uses: Set(target.dependencies.compactMap(\.name)))
        }
    }

    /// In a folder of its own: the usual one is locked while `swift test` runs.
    private static func describe() throws -> Data {
        let scratch = FileManager.default.temporaryDirectory.appending(path: "login-kiosk-house-\(getpid())")
        defer { try? FileManager.default.removeItem(at: scratch) }
        let program = Process()
        program.executableURL = URL(filePath: "/usr/bin/env")
        program.arguments = [
            "swift", "package", "--package-path", SourceTree.root.path(), "--scratch-path", scratch.path(),
            "dump-package",
        ]
        // The whole house, whatever part of it is built.
        program.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("LOGIN_KIOSK_") }
        let output = Pipe()
        program.standardOutput = output
        try program.run()
        let description = try output.fileHandleForReading.readToEnd() ?? Data()
        program.waitUntilExit()
        try #require(program.terminationStatus == 0, "swift package dump-package failed")
        return description
    }
}

/// What `swift package dump-package` prints, as far as it is looked at.
private struct PackageDescription: Decodable {
    struct Target: Decodable {
        var name: String
        var type: String
        var dependencies: [Dependency]
    }

    /// `{"byName": ["LoginValues", null]}` or `{"product": ["GRDB", "GRDB.swift", null, null]}`.
    struct Dependency: Decodable {
        var name: String?

        init(from decoder: any Decoder) throws {
            let kinds = try decoder.singleValueContainer().decode([String: [Detail]].self)
            name = kinds.values.first?.first?.text
        }
    }

    /// A name, or a condition, which is not looked at.
    struct Detail: Decodable {
        var text: String?

        init(from decoder: any Decoder) throws {
            text = try? decoder.singleValueContainer().decode(String.self)
        }
    }

    var targets: [Target]
}
