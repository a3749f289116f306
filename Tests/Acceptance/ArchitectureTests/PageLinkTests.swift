// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("Links between pages")
struct PageLinkTests {
    @Test("Every link leads to an existing file and heading")
    func linksLeadSomewhere() throws {
        let pages = try Page.all()
        #expect(pages.count > 20, "pages are not found any more")
        #expect(pages.flatMap(\.links).count > 50, "links are not found any more")
        for page in pages {
            let lost = try page.links.filter { try !page.resolves($0) }
            #expect(lost.isEmpty, "\(page.path): \(lost)")
        }
    }

    @Test("The map names at most 30 pages, and these lead to all others")
    func mapIsWhole() throws {
        let below = try FileManager.default.contentsOfDirectory(atPath: SourceTree.file("docs").path())
        let pages = Set(below.filter { $0.hasSuffix(".md") })
        #expect(pages.count > 20, "pages are not found any more")
        func targets(of page: String) throws -> Set<String> {
            let files = try Page(path: "docs/" + page).links.map { String($0.prefix { $0 != "#" }) }
            return pages.intersection(files).subtracting(["README.md"])
        }
        let named = try targets(of: "README.md")
        #expect(named.count <= 30)
        var (reached, next) = (named, named)
        while !next.isEmpty {
            next = Set(try next.flatMap(targets(of:))).subtracting(reached)
            reached.formUnion(next)
        }
        #expect(pages.subtracting(reached) == ["README.md"])
    }

    @Test("The check finds a broken link")
    func seesALostLink() throws {
        let page = try Page(path: "docs/kiosk.md")
        #expect(try page.resolves("sdk.md#log-in") && page.resolves("#screens") && page.resolves("https://swift.org"))
        #expect(try !page.resolves("sdk.md#log-out") && !page.resolves("#stats") && !page.resolves("skd.md"))
    }
}
