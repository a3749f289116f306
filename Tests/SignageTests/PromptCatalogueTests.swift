// SPDX-License-Identifier: Apache-2.0

import KioskCore
import Testing

@testable import Signage

@Suite("The words of the kiosk")
struct PromptCatalogueTests {
    @Test(arguments: PromptKey.allCases)
    func everySentenceIsThereWithExactlyItsGaps(key: PromptKey) {
        #expect(PromptCatalogue.english.has(key))
        var rest = Substring(PromptCatalogue.english.template(key))
        var gaps: Set<String> = []
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            gaps.insert(String(rest[rest.index(after: open)..<close]))
            rest = rest[close...]
        }
        #expect(gaps == Set(key.placeholders.map(\.rawValue)))
    }

    @Test func gapsAreFilledOnce() {
        let prompt = Prompt(.consentService, [.service: "a {domain} b"])
        #expect(PromptCatalogue.english.text(prompt) == "Service: a {domain} b")
    }
}
