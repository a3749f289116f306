// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The project's sources as text.
enum SourceTree {
    /// The checkout, also when the file was compiled through a link of `Tests/only.sh`.
    static let root = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    struct Import {
        var module: String
        var place: String
    }

    /// - Parameter path: the path from the top of the project.
    static func file(_ path: String) -> URL { root.appending(path: path) }

    static func text(_ path: String) throws -> String { try String(contentsOf: file(path), encoding: .utf8) }

    static func imports(of module: Manifest.Module) throws -> [Import] {
        try files(of: module).flatMap { file in
            modules(importedBy: try String(contentsOf: file, encoding: .utf8)).map {
                Import(module: $0, place: file.lastPathComponent)
            }
        }
    }

    /// The text of every file of a module.
    static func sources(of name: String) throws -> [String] {
        try files(of: Manifest.built.module(name)).map { try String(contentsOf: $0, encoding: .utf8) }
    }

    private static func files(of module: Manifest.Module) -> [URL] {
        files(below: "\(module.group == "Kits" ? "Tests" : "Sources")/\(module.group)/\(module.name)")
    }

    /// Swift's files below a folder.
    static func files(below folder: String) -> [URL] {
        let files = FileManager.default.enumerator(at: file(folder), includingPropertiesForKeys: nil)
        return (files?.allObjects ?? []).compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
    }

    /// The modules named by `import` declarations at the beginning of a line, in order.
    static func modules(importedBy source: String) -> [String] {
        source.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ").drop { $0.hasPrefix("@") || accessLevels.contains($0) }
            guard words.first == "import", var name = words.dropFirst().first else { return nil }
            if kinds.contains(name), let next = words.dropFirst(2).first { name = next }
            return String(name.prefix { $0 != "." })
        }
    }

    private static let accessLevels: Set<Substring> = ["public", "package", "internal", "fileprivate", "private"]
    private static let kinds: Set<Substring> = [
        "struct", "class", "enum", "protocol", "typealias", "func", "let", "var",
    ]
}
