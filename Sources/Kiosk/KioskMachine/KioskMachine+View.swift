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
        if view.hint == nil, lostIdentities > 0, missesIdentities(view) {
            view.hint = Prompt(.identitiesLost, [.number: "\(lostIdentities)"])
        }
        return view
    }

    /// The view of the current state, also while the previous view is held.
    var viewOfState: KioskView {
        switch state {
        case .idle(let screen): screen.view(self)
        case .session(let session, let screen): screen.view(session, self)
        case .over(let conclusion): conclusion.view
        case .stopped: KioskView(.stopped, .trouble, title: Prompt(.stopped))
        }
    }

    /// Whether it is a view at which a person would look for an identity that is gone, or that the operator sees in
    /// passing.
    private func missesIdentities(_ view: KioskView) -> Bool {
        switch view.stage {
        case .firstRun, .scan, .identityChoice, .identityEntry: true
        case .outcome: view.title.key == .identitiesNone
        default: false
        }
    }

    /// How many lines of a list are shown at a time.
    static let pageLength = 6

    static func pageCount(of count: Int) -> Int { max((count + pageLength - 1) / pageLength, 1) }

    static func lines(_ list: [(number: String, name: String)], page: Int) -> [Prompt] {
        list.dropFirst(page * pageLength).prefix(pageLength).map {
            Prompt(.listEntry, [.number: $0.number, .user: $0.name])
        }
    }
}

// What is on the screen when the person waits stays for a moment, so that an answer that comes at once does not flicker
// past.
extension KioskMachine {
    /// A wait that a service asked for, in the session whose step it holds up.
    struct ServiceWait: Sendable {
        let session: SessionNumber
        let time: Duration
    }

    /// Whether the person waits behind a key that was pressed.
    private var isWaiting: Bool {
        if case .session(_, let screen as any StepScreen) = state { !screen.isShownAtOnce } else { false }
    }

    /// Shows what is waited for, a moment later.
    ///
    /// - Parameters:
    ///   - before: what has to be done before the step.
    ///   - limit: how long the session may take from here; nil keeps the limit that it has.
    mutating func wait(
        at screen: some StepScreen, _ session: Session, after before: [KioskAction] = [],
        limit: Duration? = KioskTiming.session
    ) -> [KioskAction] {
        var actions: [KioskAction] = []
        // One step after another is one wait, and a wait that is shown from its first moment on is followed by another.
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

    /// The wait is long enough to be shown.
    mutating func showWaiting() -> [KioskAction] {
        if isWaiting { heldView = nil }
        return []
    }

    /// Says so where the person waits.
    private func addServiceWait(to view: inout KioskView) {
        guard let serviceWait, case .session(let session, is any StepScreen) = state,
            session.number == serviceWait.session
        else { return }
        view.hint = Prompt(.serviceBusy, [.seconds: "\(serviceWait.time.wholeSeconds)"])
    }
}

extension ViewAction {
    /// Where a text is typed.
    static let typing = [
        ViewAction(.enter, .actionOK), ViewAction(.back, .actionBack), ViewAction(.clear, .actionClear),
    ]

    /// Where a PIN is typed.
    static let pin = [
        ViewAction(.enter, .actionOK), ViewAction(.clear, .actionClear), ViewAction(.back, .actionBack),
    ]

    /// MENU where the digits of a number pad may stand for letters.
    static func pad(tapsLetters: Bool) -> ViewAction {
        ViewAction(.menu, tapsLetters ? .actionDigits : .actionLetters)
    }
}

extension Duration {
    /// Rounded up, so that something is left as long as something is left.
    var wholeSeconds: Int64 { components.seconds + (components.attoseconds > 0 ? 1 : 0) }
}
