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

    @Test("The map names every page, but each decision by their list")
    func mapIsWhole() throws {
        let pages = try Page.all().map(\.path).filter { $0.hasPrefix("docs/") && !$0.hasPrefix("docs/decisions/0") }
        #expect(pages.count > 35, "pages are not found any more")
        let named = try Page(path: "docs/README.md").links.map { "docs/" + $0.prefix { $0 != "#" } }
        #expect(Set(pages).subtracting(named) == ["docs/README.md"])
    }

    @Test("The check finds a broken link")
    func seesALostLink() throws {
        let page = try Page(path: "docs/kiosk.md")
        #expect(try page.resolves("sdk.md#log-in") && page.resolves("#screens") && page.resolves("https://swift.org"))
        #expect(try !page.resolves("sdk.md#log-out") && !page.resolves("#stats") && !page.resolves("skd.md"))
    }
}
