// SPDX-License-Identifier: Apache-2.0

public import KioskPorts
public import LinuxSystem

/// The dialogue of a guided first start on a kiosk's own screen, with its keypad, keyboard or touch panel.
///
/// OK goes on, BACK goes back and leaves at the first step, MENU skips. Keys that come while nothing is asked have no
/// effect. A person who has left must not keep the kiosk from its work: a question without an answer for too long ends
/// the dialogue.
public actor SetupPanel: SetupDialogue {
    public static let patience = Duration.seconds(600)
    /// The number of offers on a page.
    static let pageLength = 6
    /// The number of lines on a page of what OK agrees to.
    static let pageFacts = 4
    /// Longer than a host name with its port.
    private static let maximumText = 260

    private let screen: any KioskScreen
    private let keypad: any Keypad
    private let time: Timekeeper
    private let languages: [String]
    private let showPicture: @Sendable (PreviewPicture) -> Void

    private var view = KioskView(.setupQuestion, .ask, title: Prompt(.guideLanguage))
    /// The sentences since the last answer.
    private var lines: [Prompt] = []
    private var isFirst = true
    private var sink: AsyncStream<KeyPress>.Continuation?
    private var focus = Prompt(.guideFocus, [.number: "0"])
    private var finding: Prompt?

    /// - Parameters:
    ///   - languages: the screen's, its own first.
    ///   - time: for the patience.
    ///   - showPicture: brings a picture of the camera to the screen.
    public init(
        _ screen: any KioskScreen, _ keypad: any Keypad, languages: [String], time: Timekeeper,
        showPicture: @escaping @Sendable (PreviewPicture) -> Void
    ) {
        self.screen = screen
        self.keypad = keypad
        self.languages = languages
        self.time = time
        self.showPicture = showPicture
    }

    public nonisolated var hasKioskKeys: Bool { true }

    /// Reads keys until the keypad ends, or until the task is cancelled.
    public func run() async {
        for await press in keypad.presses() where press.touched?.isStill(view, press.key) ?? true {
            sink?.yield(press)
        }
    }

    public func speak(_ language: String) { view.languageTurn = languages.firstIndex(of: language) ?? 0 }

    public func begin(_ title: PromptKey, _ number: Int, of count: Int) {
        view.title = Prompt(title)
        isFirst = number == 1
        lines.append(Prompt(.guideStep, [.page: "\(number)", .pages: "\(count)"]))
    }

    public func say(_ sentence: Prompt) async {
        lines.append(sentence)
        await show(.setupQuestion, [])
    }

    public func ask(_ question: SetupQuestion) async throws -> FirstStart.Input {
        defer { lines = [] }
        switch question {
        case .confirmation(let words): return try await confirm(words)
        case .offers(let offers, let current): return try await choose(offers, current)
        case .text: return try await type(at: .identityEntry)
        case .digits: return try await type(at: .serviceChoice)
        case .agreement(let words):
            lines.append(Prompt(words))
            return try await agree()
        }
    }

    // MARK: Trials

    public func watch(isCamera: Bool) async throws {
        defer {
            lines = []
            finding = nil
        }
        let presses = presses()
        if isCamera { lines.append(focus) }
        await show(isCamera ? .card : .setupQuestion, [ViewAction(.enter, .actionDone)])
        for await press in presses where press.key == .enter || press.key == .back { return }
        throw ending
    }

    public func note(_ finding: Prompt) async {
        self.finding = finding
        await show(view.stage, view.actions)
    }

    public func show(_ picture: PreviewPicture, focus: Int) async {
        showPicture(picture)
        let newest = Prompt(.guideFocus, [.number: "\(focus)"])
        guard newest != self.focus, let place = lines.firstIndex(of: self.focus) else { return }
        self.focus = newest
        lines[place] = newest
        await show(view.stage, view.actions)
    }

    // MARK: Questions

    private var wayBack: ViewAction { ViewAction(.back, isFirst ? .actionCancel : .actionBack) }
    private var leaving: FirstStart.Input { isFirst ? .left : .back }

    private func confirm(_ words: PromptKey?) async throws -> FirstStart.Input {
        if let words { lines.append(Prompt(words)) }
        let presses = presses()
        await show(.setupQuestion, [ViewAction(.enter, .actionOK), wayBack, ViewAction(.menu, .actionSkip)])
        for await press in presses {
            switch press.key {
            case .enter: return .accepted
            case .back: return leaving
            case .menu: return .skipped
            default: continue
            }
        }
        throw ending
    }

    /// Shows everything that OK agrees to, page by page. Where a page has no room OK does nothing.
    private func agree() async throws -> FirstStart.Input {
        let all = lines
        var first = 0
        let presses = presses()
        await showFacts(all, from: first)
        for await press in presses {
            switch press.key {
            case .enter where press.isBurst || screen.leavesFactsOut(of: view): continue
            case .enter where first + SetupPanel.pageFacts >= all.count: return .text(FirstStart.agreement)
            case .enter:
                first += SetupPanel.pageFacts
                await showFacts(all, from: first)
            case .back where first == 0: return leaving
            case .back:
                first -= SetupPanel.pageFacts
                await showFacts(all, from: first)
            default: continue
            }
        }
        throw ending
    }

    private func showFacts(_ facts: [Prompt], from first: Int) async {
        lines = Array(facts.dropFirst(first).prefix(SetupPanel.pageFacts))
        let isLast = first + SetupPanel.pageFacts >= facts.count
        await show(
            .setupQuestion, [ViewAction(.enter, isLast ? .actionOK : .actionMore), wayBack], factCount: lines.count)
    }

    private func choose(_ offers: [Prompt], _ current: Int?) async throws -> FirstStart.Input {
        let pages = max((offers.count + SetupPanel.pageLength - 1) / SetupPanel.pageLength, 1)
        var page = (current ?? 0) / SetupPanel.pageLength
        if let current { lines += [Prompt(.guideChoose), offers[current]] }
        let presses = presses()
        await showOffers(offers, page: page, of: pages)
        for await press in presses {
            let first = page * SetupPanel.pageLength
            switch press.key {
            case .digit(let digit) where 1...min(offers.count - first, SetupPanel.pageLength) ~= Int(digit):
                return .number(first + Int(digit))
            case .enter: return .accepted
            case .back: return leaving
            case .menu where pages == 1: return .skipped
            case .menu:
                page = (page + 1) % pages
                await showOffers(offers, page: page, of: pages)
            default: continue
            }
        }
        throw ending
    }

    private func showOffers(_ offers: [Prompt], page: Int, of pages: Int) async {
        let shown = offers.dropFirst(page * SetupPanel.pageLength).prefix(SetupPanel.pageLength)
        let digits = shown.enumerated().map { ViewAction(.digit(UInt8($0.offset + 1)), $0.element) }
        let more = ViewAction(.menu, pages > 1 ? .actionMore : .actionSkip)
        await show(.menu, digits + [ViewAction(.enter, .actionOK), wayBack, more])
    }

    /// - Parameter stage: one with the keys that are needed.
    private func type(at stage: KioskStage) async throws -> FirstStart.Input {
        var text = ""
        let actions = [
            ViewAction(.enter, .actionOK), wayBack, ViewAction(.clear, .actionClear), ViewAction(.menu, .actionSkip),
        ]
        let presses = presses()
        await show(stage, actions, entry: .text(text))
        for await press in presses {
            switch press.key {
            case .digit(let digit): text += "\(digit)"
            case .character(let character): text.append(character)
            case .clear: text = ""
            case .back where text.isEmpty: return leaving
            case .back: text.removeLast()
            case .menu: return .skipped
            case .enter: return text.isEmpty ? .accepted : .text(text)
            }
            text = String(text.prefix(SetupPanel.maximumText))
            await show(stage, actions, entry: .text(text))
        }
        throw ending
    }

    // MARK: Screen and keys

    private func show(
        _ stage: KioskStage, _ actions: [ViewAction], factCount: Int = 0, entry: ViewEntry? = nil
    ) async {
        view.stage = stage
        view.lines = lines
        view.hint = finding
        view.factCount = factCount
        view.entry = entry
        view.actions = actions
        view.keyNames = keypad.keyNames
        await screen.show(view)
    }

    /// The keys from now on, until the patience ends.
    private func presses() -> AsyncStream<KeyPress> {
        let (stream, sink) = AsyncStream.makeStream(
            of: KeyPress.self, bufferingPolicy: .bufferingOldest(2 * SetupPanel.maximumText))
        let time = time
        let limit = Task {
            try? await time.sleep(SetupPanel.patience)
            sink.finish()
        }
        sink.onTermination = { _ in limit.cancel() }
        self.sink?.finish()
        self.sink = sink
        return stream
    }

    /// The reason for the end of the keys.
    private var ending: any Error { Task.isCancelled ? CancellationError() : SetupClosed() }
}
