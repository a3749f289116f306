// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import CommandLineInterface

@Suite("Installed pages") struct InstalledPagesTests {
    @Test(arguments: [
        ("docs/keypads.md has the grammar", "PAGES/keypads.md has the grammar"),
        ("a new one: docs/keypads.md#wiring", "a new one: PAGES/keypads.md#wiring"),
        (
            "as a service (docs/keypads.md), or docs/decisions/0001.md",
            "as a service (PAGES/keypads.md), or PAGES/decisions/0001.md"
        ),
        ("docs/nowhere.md", "docs/nowhere.md"), ("docs/", "docs/"), ("docs/keypads.txt", "docs/keypads.txt"),
        ("/srv/docs/keypads.md", "/srv/docs/keypads.md"), ("docs/../keypads.md", "docs/../keypads.md"), ("", ""),
    ])
    func aPageIsNamedByItsPlace(text: String, expected: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pages-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(
            at: folder.appending(path: "decisions"), withIntermediateDirectories: true)
        for page in ["keypads.md", "decisions/0001.md"] { try Data().write(to: folder.appending(path: page)) }
        let located = InstalledPages.located(in: text, below: folder.path())
        #expect(located.replacing(folder.path(), with: "PAGES") == expected)
    }

    /// A build's folder has no pages beside it.
    @Test func withoutAnInstallationThePathIsTheRepositorys() {
        #expect(InstalledPages.located(in: "docs/keypads.md") == "docs/keypads.md")
    }
}
