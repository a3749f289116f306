// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Testing

@testable import OperatorPage
@testable import ReferenceBackend

/// User ids that look like another.
@Suite struct MixedScriptsTests {
    @Test(arguments: [
        "p\u{430}ypal", "\u{440}aypal", "bob@ex\u{430}mple.com", "alic\u{435}.smith@example.com", "\u{3bf}scar",
        "\u{430}1lice", "al\u{301}\u{456}ce", "\u{561}nna", "\u{13aa}o", "\u{2c9f}scar", "\u{3b1}\u{431}",
        "\u{1d5ba}\u{430}",
    ])
    func areFound(_ text: String) { #expect(MixedScripts.areIn(text), "\(text)") }

    @Test(arguments: [
        "", "alice@example.com", "frank.müller@example.com", "zoë", "\u{431}\u{43e}\u{440}\u{438}\u{441}@example.com",
        "ivan.\u{438}\u{432}\u{430}\u{43d}\u{43e}\u{432}@example.com", "\u{3bd}\u{3af}\u{3ba}\u{3bf}\u{3c2}-2",
        "\u{3bd}\u{3af}\u{3ba}\u{3bf}\u{3c2} \u{431}\u{43e}\u{431} bob", "王小明", "田中yuki", "\u{5d0}\u{5d1}1@example.com",
        "123", "alice+\u{431}\u{43e}\u{431}@example.com", "e\u{301}\u{323}", "<u+430>lice",
    ])
    func areNot(_ text: String) { #expect(!MixedScripts.areIn(text), "\(text)") }
}
