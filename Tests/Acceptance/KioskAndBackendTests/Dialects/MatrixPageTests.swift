// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Foundation
import Testing

@testable import MPinServer
@testable import ReferenceBackend

/// docs/matrix.md lists the flows of each dialect. Each tick has a test.
@Suite struct MatrixPageTests {
    private static let top = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func page(_ name: String) throws -> String {
        try String(contentsOf: top.appending(path: name), encoding: .utf8)
    }

    /// A line of the table: the dialects with the flow, and the test.
    static func line(_ flow: DialectFlow) -> String {
        let ticks = DialectFlow.dialects.map { flow.isThere(in: $0) ? "✓" : "" }
        return "| " + ([flow.rawValue] + ticks + ["`\(flow.test)`"]).joined(separator: " | ") + " |"
    }

    @Test func thePageSaysWhatTheTestsTell() throws {
        let lines = try Self.page("docs/matrix.md").split(separator: "\n").map(String.init)
        let first = try #require(lines.firstIndex(of: Self.line(DialectFlow.allCases[0])))
        let table = Array(lines[first...].prefix { $0.hasPrefix("|") })
        #expect(table == DialectFlow.allCases.map { Self.line($0) })
        let head = "| Flow | " + DialectFlow.dialects.map { "`\($0.rawValue)` | " }.joined() + "Test |"
        #expect(lines[first - 2] == head)
    }

    @Test(arguments: DialectFlow.allCases) func theTestIsThere(_ flow: DialectFlow) throws {
        let parts = flow.test.split(separator: ".").map(String.init)
        let folder = Self.top.appending(path: "Tests/Acceptance/KioskAndBackendTests")
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        let sources = try files.compactMap { $0 as? URL }.filter { $0.lastPathComponent == parts[0] + ".swift" }
            .map { try String(contentsOf: $0, encoding: .utf8) }
        let source = try #require(sources.first)
        #expect(source.contains("@Suite struct \(parts[0]) "))
        #expect(source.contains("func \(parts[1])(_ dialect: Dialect)"))
    }
}
