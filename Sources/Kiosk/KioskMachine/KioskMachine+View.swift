// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

extension KioskMachine {
    /// The view that the person sees now.
    public var view: KioskView {
        if isWaiting, let heldView { return heldView }
        var view = viewOfState
        addServiceWait(to: &view)
        view.languageTurn = languageTurn
        view.restStep = restStep
        view.isAsleep = isResting && cameraMayRest
        view.speech = speech
        view.look = look
        view.countdown = view.countdown.map { $0 * patience }
        if view.hint == nil, lostIdentities > 0, missesIdentities(view) {
            view.hint = Prompt(.identitiesLost, [.number: "\(lostIdentities)"])
        }
        return view
    }

    /// The view of the current state, also while the previous view is held.
    var viewOfState: KioskView {
        let view = viewOfScreen
        // The terminal may show what is typed.
        let mayAsk = isKeypadWorking || secretEntry == nil
        return mayAsk ? view : KioskView(view.stage, view.tone, title: Prompt(.keypadMissing))
    }

    private var viewOfScreen: KioskView {
        switch state {
        case .idle(let screen): screen.view(self)
        case .session(let session, let screen): screen.view(session, self)
        case .over(let conclusion): conclusion.view
        case .stopped: KioskView(.stopped, .trouble, title: Prompt(.stopped))
        }
    }

    /// Whether a person would look for a lost identity at this view, or the operator sees it in passing.
    private func missesIdentities(_ view: KioskView) -> Bool {
        switch view.stage {
        case .firstRun, .scan, .identityChoice, .identityEntry: true
        case .outcome: view.title.key == .identitiesNone
        default: false
        }
    }

    /// The number of a list's lines that fit on a page.
    static let pageLength = 6

    static func pageCount(of count: Int) -> Int { max((count + pageLength - 1) / pageLength, 1) }

    static func lines(_ list: [(number: String, name: String)], page: Int) -> [Prompt] {
        list.dropFirst(page * pageLength).prefix(pageLength).map {
            Prompt(.listEntry, [.number: $0.number, .user: $0.name])
        }
    }
}

// The view before a wait stays for a moment, so that an answer that comes at once does not flicker.
extension KioskMachine {
    /// A wait that a service asked for, and the session whose step waits.
    struct ServiceWait: Sendable {
        let session: SessionNumber
        let time: Duration
    }

    /// Whether the person waits after pressing a key.
    private var isWaiting: Bool {
        if case .session(_, let screen as any StepScreen) = state { !screen.isShownAtOnce } else { false }
    }

    /// Shows a step that the person waits for, a moment later.
    ///
    /// - Parameters:
    ///   - before: actions before the step.
    ///   - limit: the session's time from here; nil keeps the current limit.
    mutating func wait(
        at screen: some StepScreen, _ session: Session, after before: [KioskAction] = [],
        limit: Duration? = KioskTiming.session
    ) -> [KioskAction] {
        var actions: [KioskAction] = []
        // Consecutive steps are one wait. A wait that is shown at once continues one that is shown.
        if !isWaiting {
            if case .session(_, is any StepScreen) = state {
                heldView = nil
            } else {
                heldView = view
                actions.append(.startTimer(.wait, KioskTiming.wait, session.number))
            }
        }
        state = .session(session, screen)
        actions += before
        if let limit { actions.append(.startTimer(.session, limit, session.number)) }
        return actions + [.perform(screen.step, session.number)]
    }

    /// Shows the wait, which is long enough.
    mutating func showWaiting() -> [KioskAction] {
        if isWaiting { heldView = nil }
        return []
    }

    /// Adds the wait to the view, if the person waits for the step.
    private func addServiceWait(to view: inout KioskView) {
        guard let serviceWait, case .session(let session, is any StepScreen) = state,
            session.number == serviceWait.session
        else { return }
        view.hint = Prompt(.serviceBusy, [.seconds: "\(serviceWait.time.wholeSeconds)"])
    }
}

extension ViewAction {
    /// While a text is typed.
    static let typing = [
        ViewAction(.enter, .actionOK), ViewAction(.back, .actionBack), ViewAction(.clear, .actionClear),
    ]

    /// While a PIN is typed.
    static let pin = [
        ViewAction(.enter, .actionOK), ViewAction(.clear, .actionClear), ViewAction(.back, .actionBack),
    ]

    /// MENU, while the digits of a number pad may stand for letters.
    static func pad(tapsLetters: Bool) -> ViewAction {
        ViewAction(.menu, tapsLetters ? .actionDigits : .actionLetters)
    }
}

extension Duration {
    /// Rounded up, so that some time is shown as long as there is any.
    var wholeSeconds: Int64 { components.seconds + (components.attoseconds > 0 ? 1 : 0) }
}
