// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The project's sources as text.
enum SourceTree {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    struct Import {
        var module: String
        var place: String
    }

    static func rooms() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root.appending(path: "Sources").path()).sorted()
    }

    static func imports(ofRoom room: String) throws -> [Import] {
        let folder = root.appending(path: "Sources/\(room)")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        var imports: [Import] = []
        for case let file as URL in files ?? .init() where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            imports += modules(importedBy: text).map { Import(module: $0, place: file.lastPathComponent) }
        }
        return imports
    }

    /// The modules that `import` declarations at the beginning of a line name, in order.
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
