// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import HostIntegration

/// The file that the kiosk writes for its browser at each start.
@Suite struct EntranceFileTests {
    private let files: FileTree
    private var folder: String { files.path() }

    init() throws { files = try FileTree() }

    @Test("The file is kept away from keys and store, under any name of the path")
    func besideKeysAndStore() throws {
        for name in ["config", "state", "page", "audit"] { try files.directory(name) }
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder)/link", withDestinationPath: "\(folder)/config")
        let configuration = KioskConfiguration(
            directory: "\(folder)/config", state: "\(folder)/state", environment: [:],
            options: ["audit.directory": "\(folder)/audit"])
        for name in [
            "config/kiosk.key", "config/screen.html", "state/identities.sqlite", "state/new/screen.html", "audit/a",
            "link/identities.key", "page/../config/kiosk.key", "config/profile/7/trusted", "state/./x",
        ] {
            let problem = EntranceFile.problem("\(folder)/\(name)", in: configuration)
            #expect(problem?.contains("name a file elsewhere") == true, "\(name)")
        }
        #expect(EntranceFile.problem("\(folder)/page/screen.html", in: configuration) == nil)
        #expect(EntranceFile.problem("\(folder)/stateless.html", in: configuration) == nil)
    }

    @Test func onlyItsOwnIsReplaced() throws {
        func mayReplace(_ name: String) throws -> Bool {
            try EntranceFile.mayReplace(files.path(name), beginning: "<page>")
        }
        try files.file("page/old.html", "<page>\n<script>")
        for name in ["old", "new"] { #expect(try mayReplace("page/\(name).html")) }
        for content in ["", "secret", " <page>", String(repeating: "x", count: 70_000)] {
            try files.file("page/other", content)
            #expect(try !mayReplace("page/other"), "\(content.prefix(10))")
        }
        #expect(throws: (any Error).self) { try mayReplace("page") }
    }
}
