// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Comments that users of the SDK read in an editor and in the reference that `make site` makes.
@Suite("The SDK's comments")
struct SDKCommentTests {
    /// Members whose meaning a protocol of the library or of the SDK gives.
    private static let inherited = [
        "description", "debugDescription", "customMirror", "hash(into", "==", "<", "checksPins", "send(",
        "distrustConnections(", "prepareToSave(", "identities()", "save(", "remove(",
    ]
    private static let kinds = "let|var|func|init|struct|enum|class|actor|protocol|typealias|subscript"

    @Test("Each public declaration has one")
    func areThere() throws {
        let declaration = try Regex("^public (\\([a-z]+\\) )?([a-z]+(\\([a-z]+\\))? )*(\(Self.kinds))\\b[ (]?(.*)")
        var bare: [String] = []
        for file in Self.files {
            let lines = try Self.lines(of: file)
            for (index, line) in lines.enumerated() {
                guard let match = line.firstMatch(of: declaration), let name = match.output.last?.substring,
                    !Self.inherited.contains(where: name.hasPrefix)
                else { continue }
                if Self.comment(above: index, lines).isEmpty { bare.append("\(file.lastPathComponent): \(line)") }
            }
        }
        #expect(bare.isEmpty, "\(bare.joined(separator: "\n"))")
    }

    @Test("Each case of a public enumeration has one of its own")
    func casesHaveOne() throws {
        var count = 0
        var bare: [String] = []
        for file in Self.files {
            let lines = try Self.lines(of: file)
            var isWithin = false
            var depth = 0
            for (index, line) in try Self.untrimmedLines(of: file).enumerated() {
                let indentation = line.prefix { $0 == " " }.count
                if lines[index].hasPrefix("public enum ") { (isWithin, depth) = (true, indentation) }
                if lines[index] == "}", indentation == depth { isWithin = false }
                guard isWithin, indentation == depth + 4, lines[index].hasPrefix("case ") else { continue }
                count += 1
                // One comment cannot describe several cases.
                if lines[index].contains(/^case \w+,/) || Self.comment(above: index, lines).isEmpty {
                    bare.append("\(file.lastPathComponent): \(line)")
                }
            }
        }
        #expect(bare.isEmpty, "\(bare.joined(separator: "\n"))")
        #expect(count > 100, "cases are not found any more")
    }

    @Test("Each public initializer with several parameters describes them")
    func parametersAreDescribed() throws {
        var count = 0
        var bare: [String] = []
        for file in Self.files {
            let lines = try Self.lines(of: file)
            for (index, line) in lines.enumerated() where line.contains(/^public (?:convenience )?init\??[(<]/) {
                let signature = lines[index...].prefix(8).joined(separator: " ").prefix { $0 != "{" }
                guard signature.contains(/, *(?:\w+ )?\w+:/) else { continue }
                count += 1
                let comment = Self.comment(above: index, lines)
                if !comment.contains(where: { $0.hasPrefix("/// - Parameter") }) {
                    bare.append("\(file.lastPathComponent): \(signature)")
                }
            }
        }
        #expect(bare.isEmpty, "\(bare.joined(separator: "\n"))")
        #expect(count > 20, "initializers are not found any more")
    }

    private static var files: [URL] {
        ["Sources/SDK", "Sources/Common/Encoding"].flatMap { SourceTree.files(below: $0) }
    }

    private static func untrimmedLines(of file: URL) throws -> [Substring] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
    }

    private static func lines(of file: URL) throws -> [Substring] {
        try untrimmedLines(of: file).map { $0.drop { $0 == " " } }
    }

    /// The lines of the doc comment above a declaration and its attributes.
    private static func comment(above index: Int, _ lines: [Substring]) -> [Substring] {
        let end = lines[..<index].lastIndex { !$0.hasPrefix("@") } ?? 0
        return Array(lines[...end].reversed().prefix { $0.hasPrefix("///") })
    }
}
