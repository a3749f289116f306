// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A page of Markdown, at the top of the project or below `docs`.
struct Page {
    /// The path from the top of the project.
    var path: String
    /// The text with code blocks.
    var whole: String
    /// The text without code blocks.
    private var text: String

    init(path: String) throws {
        self.init(path: path, whole: try SourceTree.text(path))
    }

    init(path: String, whole: String) {
        (self.path, self.whole) = (path, whole)
        let blocks = whole.components(separatedBy: "```")
        text = blocks.indices.filter { $0.isMultiple(of: 2) }.map { blocks[$0] }.joined()
    }

    static func all() throws -> [Page] {
        let below = try FileManager.default.subpathsOfDirectory(atPath: SourceTree.file("docs").path())
        let top = ["README.md", "SECURITY.md", "CONTRIBUTING.md", "CHANGELOG.md"]
        let paths = top + below.filter { $0.hasSuffix(".md") }.map { "docs/" + $0 }
        return try paths.map { try Page(path: $0) }
    }

    var links: [String] { text.matches(of: /\]\(([^)\s]+)\)/).map { String($0.output.1) } }

    /// The texts in backticks.
    var codeSpans: [String] { text.matches(of: /`([^`\n]+)`/).map { String($0.output.1) } }

    /// The cells of each line of its tables.
    var rows: [[String]] {
        whole.split(separator: "\n").filter { $0.hasPrefix("|") && $0.hasSuffix("|") }.map { line in
            line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    /// The texts in quotation marks, without those of indented code.
    var quotations: [String] {
        let prose = text.split(separator: "\n").filter { !$0.hasPrefix("    ") }.joined(separator: " ")
        return prose.replacing(/`[^`]*`/, with: "`").matches(of: /"([^"]+)"/).map {
            $0.output.1.split(separator: " ").joined(separator: " ")
        }
    }

    /// The code blocks that are marked with a language.
    func blocks(in language: String) -> [String] {
        whole.matches(of: /(?ms)^ *```([a-z]+)\n(.*?)^ *```/).filter { $0.output.1 == language }.map {
            String($0.output.2)
        }
    }

    /// Whether a link within the project has a target. Links to other sites are accepted.
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

    /// The anchors of its headings: lower case, without punctuation, with hyphens for spaces.
    private var anchors: [String] {
        text.matches(of: /(?m)^#+ (.+)$/).map { heading in
            heading.output.1.lowercased().filter { $0.isLetter || $0.isNumber || "_- ".contains($0) }
                .replacing(" ", with: "-")
        }
    }
}
