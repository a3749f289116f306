// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The text of `docs/flows.md`.
enum FlowPage {
    struct Request: Hashable, CustomStringConvertible {
        var method: String
        var path: String

        var description: String { "\(method) \(path)" }
    }

    /// A chapter about one flow.
    struct Flow {
        var title: String
        var hasPicture: Bool
    }

    static func requests() throws -> [Request] {
        try text().matches(of: /\b(GET|POST|PUT|DELETE) (\/[A-Za-z0-9_.{}\/-]*)/).map {
            Request(method: String($0.output.1), path: String($0.output.2))
        }
    }

    static func pictures() throws -> [String] {
        try text().components(separatedBy: "```mermaid\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
    }

    static func flows() throws -> [Flow] {
        try chapters().filter { $0.title != nameTable }.map {
            Flow(title: $0.title, hasPicture: $0.text.contains("```mermaid\nsequenceDiagram\n"))
        }
    }

    /// The flows in the first table, in its order.
    static func linkedFlows() throws -> [String] {
        try text().matches(of: /\n\| \[([^\]]+)\]\(#[a-z-]+\) \|/).map { String($0.output.1) }
    }

    /// The names of requests in the last table.
    static func names() throws -> [String] {
        let table = try chapters().first { $0.title == nameTable }?.text ?? ""
        return table.matches(of: /\n\| ([a-z][^|]*) \|/).map { String($0.output.1) }
    }

    private static let nameTable = "Names in the log"

    private static func chapters() throws -> [(title: String, text: String)] {
        try text().components(separatedBy: "\n## ").dropFirst().map { chapter in
            let title = chapter.prefix { $0 != "\n" }
            return (String(title), String(chapter.dropFirst(title.count)))
        }
    }

    private static func text() throws -> String {
        try String(contentsOf: SourceTree.file("docs/flows.md"), encoding: .utf8)
    }
}
