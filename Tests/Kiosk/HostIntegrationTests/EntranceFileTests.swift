// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import HostIntegration

/// The file that the kiosk writes for its browser at each start.
@Suite struct EntranceFileTests {
    let folder = FileManager.default.temporaryDirectory.appending(path: "entrance-\(UUID().uuidString)").path()

    private func clean() { try? FileManager.default.removeItem(atPath: folder) }

    private func make(_ name: String, _ content: String? = nil) throws -> String {
        let path = "\(folder)/\(name)"
        try FileManager.default.createDirectory(
            atPath: content == nil ? path : String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.endIndex)),
            withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        if let content { try Data(content.utf8).write(to: URL(filePath: path)) }
        return path
    }

    @Test("The file is kept away from keys and store, under any name of the path")
    func besideKeysAndStore() throws {
        defer { clean() }
        for name in ["config", "state", "page", "audit"] { _ = try make(name) }
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder)/link", withDestinationPath: "\(folder)/config")
        let configuration = KioskConfiguration(
            directory: "\(folder)/config", state: "\(folder)/state", environment: [:],
            options: ["audit.directory": "\(folder)/audit"])
        for name in [
            "config/kiosk.key", "config/screen.html", "state/identities.sqlite", "state/new/screen.html", "audit/a",
            "link/identities.key", "page/../config/kiosk.key", "config/setup/7/trusted", "state/./x",
        ] {
            let problem = EntranceFile.problem("\(folder)/\(name)", in: configuration)
            #expect(problem?.contains("name a file elsewhere") == true, "\(name)")
        }
        #expect(EntranceFile.problem("\(folder)/page/screen.html", in: configuration) == nil)
        #expect(EntranceFile.problem("\(folder)/stateless.html", in: configuration) == nil)
    }

    @Test func onlyItsOwnIsReplaced() throws {
        defer { clean() }
        func mayReplace(_ path: String) throws -> Bool { try EntranceFile.mayReplace(path, beginning: "<page>") }
        #expect(try mayReplace(try make("page/old.html", "<page>\n<script>")))
        #expect(try mayReplace("\(folder)/page/new.html"))
        for content in ["", "secret", " <page>", String(repeating: "x", count: 70_000)] {
            #expect(try !mayReplace(try make("page/other", content)), "\(content.prefix(10))")
        }
        #expect(throws: (any Error).self) { try mayReplace("\(folder)/page") }
    }
}
