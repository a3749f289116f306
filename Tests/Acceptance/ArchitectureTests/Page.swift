// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A page of Markdown: those at the top of the project, and what is below `docs`.
struct Page {
    /// From the top of the project.
    var path: String
    /// Without blocks of code.
    private var text: String

    init(path: String) throws {
        self.path = path
        let blocks = try String(contentsOf: SourceTree.file(path), encoding: .utf8).components(separatedBy: "```")
        text = blocks.indices.filter { $0.isMultiple(of: 2) }.map { blocks[$0] }.joined()
    }

    static func all() throws -> [Page] {
        let below = try FileManager.default.subpathsOfDirectory(atPath: SourceTree.file("docs").path())
        let top = ["README.md", "SECURITY.md", "CONTRIBUTING.md", "CHANGELOG.md"]
        let paths = top + below.filter { $0.hasSuffix(".md") }.map { "docs/" + $0 }
        return try paths.map { try Page(path: $0) }
    }

    var links: [String] { text.matches(of: /\]\(([^)\s]+)\)/).map { String($0.output.1) } }

    /// Whether a link of this page leads to something within the project; links to elsewhere count as good.
    func resolves(_ link: String) throws -> Bool {
        guard !link.contains("://") else { return true }
        let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let folder = SourceTree.file(path).deletingLastPathComponent()
        let target = parts[0].isEmpty ? SourceTree.file(path) : folder.appending(path: parts[0]).standardizedFileURL
        guard FileManager.default.fileExists(atPath: target.path()) else { return false }
        guard parts.count == 2 else { return true }
        let page = String(target.path().dropFirst(SourceTree.root.path().count))
        return try Page(path: page).anchors.contains(parts[1])
    }

    /// What links call its headings: in small letters, without signs, with hyphens for spaces.
    private var anchors: [String] {
        text.matches(of: /(?m)^#+ (.+)$/).map { heading in
            heading.output.1.lowercased().filter { $0.isLetter || $0.isNumber || "_- ".contains($0) }
                .replacing(" ", with: "-")
        }
    }
}
