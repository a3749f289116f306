// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("Links between pages lead somewhere")
struct PageLinkTests {
    @Test("Every link of a page is to a file that is there, and to a heading that is in it")
    func linksLeadSomewhere() throws {
        let pages = try Page.all()
        #expect(pages.count > 20, "pages are not found any more")
        #expect(pages.flatMap(\.links).count > 50, "links are not found any more")
        for page in pages {
            let lost = try page.links.filter { try !page.resolves($0) }
            #expect(lost.isEmpty, "\(page.path): \(lost)")
        }
    }

    @Test("The map leads to every page")
    func mapIsWhole() throws {
        let named = Set(try Page(path: "docs/README.md").links)
        let below = try FileManager.default.contentsOfDirectory(atPath: SourceTree.file("docs").path())
        let pages = below.filter { $0.hasSuffix(".md") && $0 != "README.md" }
        #expect(pages.count > 20, "pages are not found any more")
        #expect(pages.filter { !named.contains($0) }.isEmpty)
    }

    @Test("The check itself sees a link that leads nowhere")
    func seesALostLink() throws {
        let page = try Page(path: "docs/kiosk.md")
        #expect(try page.resolves("sdk.md#log-in") && page.resolves("#screens") && page.resolves("https://swift.org"))
        #expect(try !page.resolves("sdk.md#log-out") && !page.resolves("#stats") && !page.resolves("skd.md"))
    }
}
