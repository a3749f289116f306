// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Modules and dependencies, as SwiftPM reads them from `Package.swift`.
struct Manifest {
    struct Module {
        var name: String
        /// The parent of the module's folder: `SDK`.
        var group: String
        /// Modules, and products of packages.
        var uses: Set<String>
    }

    /// All modules except tests and module maps.
    var modules: [Module]
    var tests: [Module]

    func module(_ name: String) throws -> Module {
        try #require(modules.first { $0.name == name }, "Package.swift has no module \(name)")
    }

    /// Everything that a module uses, directly or indirectly.
    func reach(of name: String) -> Set<String> {
        var reached: Set<String> = []
        var waiting = [name]
        while let next = waiting.popLast() {
            for used in modules.first(where: { $0.name == next })?.uses ?? [] where reached.insert(used).inserted {
                waiting.append(used)
            }
        }
        return reached
    }

    /// Read once, because SwiftPM takes seconds.
    static var built: Manifest {
        get throws { try reading.get() }
    }

    private static let reading = Result { try Manifest(description: describe()) }

    private init(description: Data) throws {
        let package = try JSONDecoder().decode(PackageDescription.self, from: description)
        func targets(_ types: Set<String>) -> [Module] {
            package.targets.filter { types.contains($0.type) }.map { target in
                let folders = target.path.split(separator: "/")
                return Module(
                    name: target.name, group: folders.count > 2 ? String(folders[1]) : "",
                    uses: Set(target.dependencies.compactMap(\.name)))
            }
        }
        modules = targets(["regular", "executable"])
        tests = targets(["test"])
    }

    /// In a separate folder, because `swift test` locks the usual one.
    private static func describe() throws -> Data {
        let scratch = FileManager.default.temporaryDirectory.appending(path: "login-kiosk-manifest-\(getpid())")
        defer { try? FileManager.default.removeItem(at: scratch) }
        let program = Process()
        program.executableURL = URL(filePath: "/usr/bin/env")
        program.arguments = [
            "swift", "package", "--package-path", SourceTree.root.path(), "--scratch-path", scratch.path(),
            "dump-package",
        ]
        // With the modules of TLS, also where the build goes without them.
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

/// The relevant parts of `swift package dump-package`.
private struct PackageDescription: Decodable {
    struct Target: Decodable {
        var name: String
        var type: String
        var path: String
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

    /// A name, or a condition, which is ignored.
    struct Detail: Decodable {
        var text: String?

        init(from decoder: any Decoder) throws {
            text = try? decoder.singleValueContainer().decode(String.self)
        }
    }

    var targets: [Target]
}
