// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import ScreenTestKit
import Testing
@testable import Signage

@Suite("The displayed language")
struct LanguagesTests {
    @Test(arguments: [
        ("de", "de"), ("de-AT", "de"), ("de_DE.UTF-8", "de"), ("DE", "de"), ("bg_BG", "bg"), ("es_MX@euro", "es"),
        ("C", nil), ("C.UTF-8", nil), ("POSIX", nil), ("", nil), ("ja_JP.UTF-8", nil), ("deutsch", nil), ("é", nil),
    ])
    func tags(tag: String, language: String?) {
        #expect(Languages(first: tag)?.tags.first == language)
    }

    @Test(arguments: [
        ([:], "en"), (["LANG": "fr_FR.UTF-8"], "fr"), (["LANG": "fr_FR.UTF-8", "LC_MESSAGES": "es_ES"], "es"),
        (["LANG": "fr_FR.UTF-8", "LC_MESSAGES": "es_ES", "LC_ALL": "bg"], "bg"),
        (["LANG": "de_DE", "LC_ALL": ""], "de"), (["LANG": "de_DE", "LC_ALL": "C"], "en"),
    ])
    func environments(environment: [String: String], language: String) {
        #expect(Languages(environment: environment).tags.first == language)
    }

    @Test func theKeyTurnsThroughAllAndComesBack() throws {
        let languages = try #require(Languages(first: "fr"))
        var view = SampleViews.view("scan")
        let others = PromptCatalogue.all.map(\.language).filter { $0 != "fr" }
        let seen = (0...others.count + 1).map { turn in
            view.languageTurn = turn
            return languages.catalogue(for: view).language
        }
        #expect(seen == ["fr"] + others + ["fr"])
    }
}
