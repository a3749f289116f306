// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskTestKit
import Testing

@Suite("Whole interactions, played from scripts", .fewAtATime)
struct FlowTests {
    private static let scripts = ProjectFile.url("Tests/flows")

    static let names: [String] =
        ((try? FileManager.default.contentsOfDirectory(atPath: scripts.path())) ?? [])
        .filter { $0.hasSuffix(".flow") }.sorted()

    @Test func theScriptsAreThere() { #expect(Self.names.count >= 17) }

    @Test(arguments: names)
    func play(name: String) async throws {
        let text = try String(contentsOf: Self.scripts.appending(path: name), encoding: .utf8)
        let script = try FlowScript(text)
        let stage = try await FlowStage(
            script, documents: Self.scripts,
            pictures: FlowPictures(folder: ProjectFile.url("docs/pictures/flows")))
        try await stage.play(script)
    }
}
