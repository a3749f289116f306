// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import ScreenTestKit
import Testing
@testable import Signage

@Suite("Names of keys as printed on them")
struct KeyNamesTests {
    private static let layout = ConsoleLayout(languages: .standard)
    private static let pad = KeyNames([
        .enter: KeyNames.Name("#"), .back: KeyNames.Name("*"), .clear: KeyNames.Name("*", isHeld: true),
    ])

    private static func keys(_ name: String, _ names: KeyNames, _ layout: ConsoleLayout = layout) -> [String] {
        var view = SampleViews.view(name)
        view.keyNames = names
        let lines = layout.lines(of: view, size: ScreenSize(columns: 80, rows: 24))
        return lines.filter { $0.style == .key }.map { $0.text.trimmingPrefix("  ") }.map(String.init)
    }

    @Test(arguments: [
        (KeyNames.terminal, "[Enter] OK   [Ctrl-U] Clear   [Backspace] Back"),
        (.keyboard, "[Enter] OK   [Delete] Clear   [Backspace] Back"),
        (.numberPad, "[Enter] OK   [.] Clear   [*] Back"), (pad, "[#] OK   [hold *] Clear   [*] Back"),
        (KeyNames(merging: [pad, .keyboard]), "[#/Enter] OK   [hold */Delete] Clear   [*/Backspace] Back"),
        (KeyNames(merging: [.keyboard, .keyboard]), "[Enter] OK   [Delete] Clear   [Backspace] Back"),
        // No key does this.
        (KeyNames([.enter: KeyNames.Name("#")]), "[#] OK"),
    ])
    func atAPIN(names: KeyNames, row: String) { #expect(Self.keys("PIN", names) == [row]) }

    @Test func atAConsent() { #expect(Self.keys("consent", Self.pad) == ["[#] OK   [*] Not me"]) }

    @Test func theNameIsWhatThePersonReads() throws {
        let german = ConsoleLayout(languages: try #require(Languages(first: "de")))
        #expect(Self.keys("PIN", Self.pad, german).contains { $0.contains("[* halten]") })
        var view = SampleViews.view("PIN")
        view.keyNames = Self.pad
        #expect(Self.layout.sentence(of: view).hasSuffix("[#] OK, [hold *] Clear, [*] Back"))
    }

    /// The 4 of a pad without NumLock is BACK.
    @Test func whereNobodyCanTellNumLockItIsAskedForAtAPIN() {
        let prompt = Prompt(.numLockHelp)
        for (name, view) in SampleViews.all {
            var view = view
            #expect(!view.atItsKeys.lines.contains(prompt), "\(name)")
            view.keyNames = .terminal(needsNumLock: true)
            #expect(view.atItsKeys.lines.contains(prompt) == view.stage.asksForPIN, "\(name)")
        }
    }

    @Test func deletingIsNotGreenAndStayingIsNotRed() {
        func meanings(_ view: KioskView) -> [KioskView.KeyMeaning?] { view.actions.map(view.meaning) }
        #expect(meanings(SampleViews.view("consent")) == [.yes, .no])
        #expect(meanings(SampleViews.view("PIN")) == [.yes, .clear, nil])
        var question = KioskView(
            .resetQuestion, .ask, title: Prompt(.resetTitle),
            actions: [ViewAction(.enter, .actionContinue), ViewAction(.back, .actionCancel)])
        #expect(meanings(question) == [.danger, nil])
        question = KioskView(
            .pin, .ask, title: Prompt(.pinTitle), lines: [Prompt(.deletePurpose)],
            actions: [ViewAction(.enter, .actionOK), ViewAction(.back, .actionBack)])
        #expect(meanings(question) == [.danger, nil])
        question = KioskView(
            .identityDetails, .ask, title: Prompt(.identityTitle), actions: [ViewAction(.digit(2), .actionDelete)])
        #expect(meanings(question) == [.danger])
    }
}
