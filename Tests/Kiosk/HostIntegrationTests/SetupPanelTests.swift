// SPDX-License-Identifier: Apache-2.0

import HostIntegration
import KioskPorts
import KioskTestKit
import LinuxSystem
import Testing

@Suite("The guided first start at a panel") final class SetupPanelTests {
    private let screen = FakeScreen()
    private let keypad = FakeKeypad()
    private let clock = ManualClock()
    private let panel: SetupPanel
    private let keys: Task<Void, Never>
    private var questions = 0

    init() {
        let panel = SetupPanel(screen, keypad, languages: ["en", "de"], time: Timekeeper(clock)) { _ in }
        self.panel = panel
        keys = Task { await panel.run() }
    }

    deinit { keys.cancel() }

    /// Asks at a step, and presses keys when the question is on the screen.
    private func answer(
        _ question: SetupQuestion, at stage: KioskStage, step: Int = 2, _ press: (FakeKeypad) -> Void
    ) async throws -> FirstStart.Input {
        questions += 1
        await panel.begin(.guideCamera, step, of: questions)
        let line = Prompt(.guideStep, [.page: "\(step)", .pages: "\(questions)"])
        let panel = panel
        async let input = panel.ask(question)
        try await screen.view { $0.stage == stage && $0.lines.contains(line) && !$0.actions.isEmpty }
        press(keypad)
        return try await input
    }

    @Test(
        "A key answers, and BACK leaves at the first step alone",
        arguments: [
            (1, .enter, .accepted), (1, .back, .left), (2, .back, .back), (2, .menu, .skipped),
        ] as [(Int, Key, FirstStart.Input)])
    func confirmation(_ step: Int, _ key: Key, _ input: FirstStart.Input) async throws {
        #expect(try await answer(.confirmation(.guideRight), at: .setupQuestion, step: step) { $0.press(key) } == input)
        let view = try #require(screen.views.last)
        #expect(view.title == Prompt(.guideCamera))
        #expect(
            view.lines == [Prompt(.guideStep, [.page: "\(step)", .pages: "1"]), Prompt(.guideRight)] && view.hint == nil
        )
        #expect(view.actions.map(\.label.key) == [.actionOK, step == 1 ? .actionCancel : .actionBack, .actionSkip])
    }

    @Test("Offers are keys, on pages where there are many; OK keeps the current one")
    func offers() async throws {
        let offers = (1...8).map { Prompt(.guideText, [.name: "offer \($0)"]) }
        let second = try await answer(.offers(offers, current: 0), at: .menu) {
            // On the second page two are left.
            $0.press(.menu, .digit(3), .digit(0), .digit(2))
        }
        #expect(second == .number(8))
        #expect(screen.views.last?.actions.prefix(2).map(\.label) == Array(offers[6...]))
        #expect(try await answer(.offers(offers, current: 7), at: .menu) { $0.press(.enter) } == .accepted)
        #expect(screen.views.last?.lines.last == offers[7])
        #expect(try await answer(.offers([offers[0]], current: nil), at: .menu) { $0.press(.menu) } == .skipped)
    }

    @Test("A host is typed by letters and digits, and an empty one is none")
    func text() async throws {
        let typed = try await answer(.text, at: .identityEntry) {
            $0.type("login1x")
            $0.press(.back)
            $0.type(".example.com")
            $0.press(.enter)
        }
        #expect(typed == .text("login1.example.com"))
        #expect(try await answer(.text, at: .identityEntry) { $0.press(.character("a"), .back, .enter) } == .accepted)
        #expect(try await answer(.text, at: .identityEntry) { $0.press(.back) } == .back)
        #expect(try await answer(.digits, at: .serviceChoice) { $0.press(.digit(0), .digit(9), .enter) } == .text("09"))
    }

    @Test("Agreement needs a pressed OK, with everything on the screen")
    func agreement() async throws {
        let input = try await answer(.agreement(.guideWrite), at: .setupQuestion) {
            $0.press(.enter, isBurst: true)
            $0.press(.menu, .digit(1), .back)
        }
        #expect(input == .back)
        #expect(screen.views.last?.factCount == 2)
        #expect(
            try await answer(.agreement(.guideWrite), at: .setupQuestion) { $0.press(.enter) }
                == .text(FirstStart.agreement))
    }

    @Test("A long summary is agreed to page by page")
    func longSummary() async throws {
        await panel.begin(.guideSummary, 9, of: 9)
        for number in 1...7 { await panel.say(Prompt(.guideText, [.name: "choice \(number)"])) }
        let panel = panel
        async let input = panel.ask(.agreement(.guideWrite))
        try await screen.view { !$0.actions.isEmpty }
        // The step, seven choices and the question are three pages.
        keypad.press(.enter, .enter, .back, .enter, .enter)
        #expect(try await input == .text(FirstStart.agreement))
        let pages = screen.views.suffix(5)
        #expect(pages.map(\.lines.count) == [4, 4, 1, 4, 1] && pages.allSatisfy { $0.factCount == $0.lines.count })
        #expect(pages.map { $0.actions[0].label.key } == [.actionMore, .actionMore, .actionOK, .actionMore, .actionOK])
        #expect(pages.last?.lines == [Prompt(.guideWrite)])
    }

    @Test("Where something has no room OK agrees to nothing")
    func noRoom() async throws {
        let keypad = FakeKeypad()
        let small = SetupPanel(SmallScreen(screen), keypad, languages: ["en"], time: Timekeeper(clock)) { _ in }
        let reading = Task { await small.run() }
        defer { reading.cancel() }
        await small.begin(.guideSummary, 9, of: 9)
        async let input = small.ask(.agreement(.guideWrite))
        try await screen.view { !$0.actions.isEmpty }
        keypad.press(.enter, .back)
        #expect(try await input == .back)
    }

    @Test("Keys while nothing is asked do nothing, also of an older view")
    func early() async throws {
        let older = TouchedView(KeySubject(KioskView(.menu, .ask, title: Prompt(.guideCamera))), Prompt(.actionOK))
        let input = try await answer(.confirmation(nil), at: .setupQuestion) {
            $0.report(.pressed(KeyPress(.enter, touched: older)))
            $0.press(.menu)
        }
        #expect(input == .skipped)
    }

    @Test("A person who goes away leaves the kiosk to its work")
    func patience() async throws {
        await #expect(throws: SetupClosed.self) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { [panel] in _ = try await panel.ask(.confirmation(nil)) }
                await clock.waitForSleepers(1)
                clock.advance(by: SetupPanel.patience)
                try await group.waitForAll()
            }
        }
    }

    @Test("A camera's picture comes with its focus, and what was found stands beside it")
    func camera() async throws {
        let task = Task { [panel] in
            await panel.speak("de")
            try await panel.watch(isCamera: true)
        }
        try await screen.view { $0.stage == .card }
        let picture = try #require(
            PreviewPicture(luma: Array(repeating: 9, count: PreviewPicture.width * PreviewPicture.height)))
        await panel.show(picture, focus: 42)
        await panel.note(Prompt(.guideCodeRead))
        let view = try #require(screen.views.last)
        #expect(view.lines.last == Prompt(.guideFocus, [.number: "42"]) && view.hint == Prompt(.guideCodeRead))
        #expect(view.showsPreview && view.languageTurn == 1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}

/// A screen without room for what OK agrees to.
private struct SmallScreen: KioskScreen {
    let screen: FakeScreen
    var documentRoom: DocumentPageSize? { nil }

    init(_ screen: FakeScreen) { self.screen = screen }

    func leavesFactsOut(of view: KioskView) -> Bool { true }
    func show(_ view: KioskView) async { await screen.show(view) }
}
