// SPDX-License-Identifier: Apache-2.0

public import KioskPorts
public import Logging
public import Signage
import LinuxSystem
import Synchronization

/// The kiosk's own screen: a panel that a process of its own draws.
///
/// ``run()`` keeps that process alive while a panel is there: one that dies, does not answer or breaks the protocol is
/// ended and restarted, after a pause that grows from 0.5 to 8 seconds. During the pause the panel shows the machine's
/// console, and this screen asks for nothing.
public final class DisplayProcess: KioskScreen {
    /// Seconds for which the process may owe the answer to a view.
    static let patience = 10
    static let restartPauses: [Duration] = [.milliseconds(500), .seconds(1), .seconds(2), .seconds(4), .seconds(8)]
    /// A process that ran this long is healthy: the next restart is quick again.
    static let healthyAge = Duration.seconds(30)
    /// The time between two searches for a panel.
    static let plugInterval = Duration.seconds(1)

    let executable: String
    /// The arguments of the process, which name the panel; nil while there is none to draw at.
    let arguments: @Sendable () -> [String]?
    let settings: DisplaySettings
    let touchSettings: TouchSettings
    let logger: Logger
    let time: Timekeeper
    let state = Mutex(State())
    /// Whether the person could see the camera's picture, from now on, for one consumer.
    public let audience: AsyncStream<Bool>
    private let audienceSink: AsyncStream<Bool>.Continuation
    private let languages: Languages
    /// The clock of touches.
    let now: @Sendable () -> Duration

    /// The orders that the process has yet to get. Settings, view and touch are those of the time of sending.
    struct DueOrders {
        var settings = false
        var view = false
        var touch = false
        /// The newest picture of the camera.
        var preview: PreviewPicture?

        /// Takes out what is due.
        mutating func take() -> DueOrders {
            defer { self = DueOrders() }
            return self
        }
    }

    struct State {
        var view: KioskView?
        /// The number of the newest view.
        var number: UInt32 = 0
        var came = Duration.zero
        var panel: Panel?
        /// The state of the panel that the process or its absence gave last.
        var panelState = PanelState.missing("no panel is connected")
        /// The newest view that is on the panel, and what had no room there.
        var shown: (number: UInt32, leftOut: LeftOut)?
        /// Whether the newest view went to the process cut.
        var isCut = false
        var due = DueOrders()
        var touch = TouchState()
        /// Wakes the writer of the running process.
        var wake: AsyncStream<Void>.Continuation?
    }

    /// - Parameters:
    ///   - executable: path of `login-kiosk-display`.
    ///   - languages: the view chooses the one that is shown.
    ///   - clock: for patience and restart pauses.
    public convenience init(
        executable: String, panel: Choice, languages: Languages, settings: DisplaySettings = DisplaySettings(),
        touch: TouchSettings = TouchSettings(), clock: some Clock<Duration> = ContinuousClock(), logger: Logger
    ) {
        self.init(
            executable: executable, languages: languages, settings: settings, touch: touch, clock: clock, logger: logger
        ) {
            guard OwnConsole.isInFront else { return nil }
            return panel.connector(among: ConnectedPanels.all.map(\.connector)).map { ["--panel", $0] }
        }
    }

    init(
        executable: String, languages: Languages, settings: DisplaySettings, touch: TouchSettings = TouchSettings(),
        now: @escaping @Sendable () -> Duration = { MonotonicTime.now }, clock: some Clock<Duration>, logger: Logger,
        arguments: @escaping @Sendable () -> [String]?
    ) {
        self.executable = executable
        self.arguments = arguments
        self.languages = languages
        self.settings = settings
        touchSettings = touch
        self.now = now
        self.logger = logger
        time = Timekeeper(clock)
        (audience, audienceSink) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// The room of the panel; nil without one, so that other screens alone decide.
    public var documentRoom: DocumentPageSize? { state.withLock { $0.panel?.documentRoom } }

    /// The state of the panel, for the operator.
    public var panelState: PanelState { state.withLock { $0.panelState } }

    /// A view that the panel has not shown yet cannot have been read there.
    public func leavesFactsOut(of view: KioskView) -> Bool {
        state.withLock { state in
            guard state.panel != nil, view.factCount > 0 else { return false }
            guard view == state.view, !state.isCut, let shown = state.shown, shown.number == state.number else {
                return true
            }
            return !shown.leftOut.isDisjoint(with: [.facts, .words, .keys])
        }
    }

    public func hasRoom(for entry: ViewEntry) -> Bool {
        guard case .card(let text) = entry, let code = CardCode(text) else { return false }
        return state.withLock { ($0.panel?.codeRoom ?? 0) >= code.side }
    }

    public func show(_ view: KioskView) async {
        let now = time.elapsed()
        let wantsPreview = state.withLock { state -> Bool in
            state.touch.follow(
                view, after: state.view, on: state.panel, settings.rotation, shuffles: touchSettings.shufflesPad)
            state.view = view
            state.number &+= 1
            state.came = now
            state.due.view = true
            if !view.showsPreview { state.due.preview = nil }
            state.wake?.yield()
            return state.panel != nil && view.showsPreview
        }
        audienceSink.yield(wantsPreview)
    }

    /// Shows the camera's picture, while the view is one of aiming. A slow panel skips pictures.
    public func show(_ picture: PreviewPicture) {
        state.withLock { state in
            guard state.panel != nil, state.view?.showsPreview == true else { return }
            state.due.preview = picture
            state.wake?.yield()
        }
    }

    /// Runs until the task is cancelled. A panel that is unplugged, and another console in front, end the process, so
    /// that the kernel shows its console again.
    public func run() async {
        defer { audienceSink.finish() }
        var failures = 0
        var isMissing = false
        while !Task.isCancelled {
            guard let arguments = arguments() else {
                let reason = OwnConsole.isInFront ? "no panel is connected" : "another console is in front"
                state.withLock { $0.panelState = .missing(reason) }
                if !isMissing { logger.notice("no panel shows the screen", metadata: ["reason": "\(reason)"]) }
                isMissing = true
                try? await time.sleep(DisplayProcess.plugInterval)
                continue
            }
            isMissing = false
            let started = time.elapsed()
            let reason = await DisplayChild(self, arguments).run()
            panelIs(nil)
            state.withLock { $0.panelState = .missing("the program that draws restarts: \(reason)") }
            if Task.isCancelled { return }
            guard arguments == self.arguments() else { continue }
            if time.elapsed() - started > DisplayProcess.healthyAge { failures = 0 }
            let pause = DisplayProcess.restartPauses[min(failures, DisplayProcess.restartPauses.count - 1)]
            failures += 1
            logger.warning("the display restarts", metadata: ["reason": "\(reason)", "in": "\(pause.text)"])
            try? await time.sleep(pause)
        }
    }

    /// Notes the panel; nil if there is none.
    func panelIs(_ panel: Panel?) {
        let (wantsPreview, call) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
            state.panel = panel
            if panel == nil {
                (state.shown, state.due.preview) = (nil, nil)
                (state.touch.keys, state.touch.touched) = (nil, nil)
            }
            return (panel != nil && state.view?.showsPreview == true, state.touch.onPanelChange)
        }
        audienceSink.yield(wantsPreview)
        call?()
    }

    /// Takes the orders that are due, in the order in which the process needs them.
    func takeOrders() -> [DisplayOrder] {
        let now = time.elapsed()
        return state.withLock { state in
            var orders: [DisplayOrder] = []
            let due = state.due.take()
            if due.settings { orders.append(.settings(settings(in: state))) }
            if due.view, let words = state.words(languages, touchSettings, shownFor: now - state.came) {
                let order = DisplayOrder.view(number: state.number, words)
                state.isCut = !order.arrivesWhole
                orders.append(order)
            }
            if due.touch { orders.append(.touch(view: state.number, state.touch.touched)) }
            if let picture = due.preview { orders.append(.preview(picture)) }
            return orders
        }
    }

    private func settings(in state: State) -> DisplaySettings {
        var settings = settings
        settings.isTouched = state.touch.isThere
        return settings
    }
}

extension DisplayProcess {
    /// Whether the panel has not shown the newest view yet.
    var owesAnswer: Bool {
        state.withLock { $0.panel != nil && $0.view != nil && $0.shown?.number != $0.number }
    }

    func hear(_ message: DisplayMessage) throws(KeysFault) {
        if case .panel(let new) = message { state.withLock { $0.panelState = new } }
        switch message {
        case .hello(_, confinesFiles: false):
            logger.warning("the display may read other files: this kernel has no Landlock")
        case .hello: break
        case .panel(.missing(let reason)):
            logger.notice("no panel shows the screen", metadata: ["reason": "\(reason)"])
            panelIs(nil)
        case .panel(.held):
            logger.notice("another program draws at the panel; the screen waits for it")
            panelIs(nil)
        case .panel(.shown(let panel)):
            logger.notice("the panel shows the screen", metadata: ["size": "\(panel.width)x\(panel.height)"])
            panelIs(panel)
        case .shown(let number, let leftOut, let keys): try shown(number, leftOut, keys)
        }
    }
}
