// SPDX-License-Identifier: Apache-2.0

import ConfinedProcess
import Display
import Glibc
import KioskPorts
import LinuxSystem

/// Draws the views that the parent sends, until the parent sends stop or is gone. Takes the panel with the first view.
/// Waits for a panel that is missing or that another program holds.
struct DisplayProgram {
    private static let name = "login-kiosk-display"
    /// The time between two attempts to take a panel. The parent watches for connected panels.
    private static let attemptInterval = Duration.seconds(2)
    /// The longest sleep.
    private static let sleep = Duration.seconds(60)

    private let device: DisplayDevice
    private let clock = ContinuousClock()
    private var parent = ParentPipe<DisplayMessage, DisplayOrder>()
    private let text = PangoText()
    /// Nil until the parent has sent them.
    private var settings: DisplaySettings?
    private var shown: ShownView?
    private var preview: PreviewPicture?
    /// Whether ``preview`` has not been drawn yet.
    private var isNewPicture = false
    /// Nil until the panel is taken, and when it is lost.
    private var panel: OpenPanel?
    /// The state that was last reported to the parent.
    private var state: PanelState?
    private var attemptDue: ContinuousClock.Instant

    private init(_ device: DisplayDevice) {
        self.device = device
        attemptDue = clock.now
    }

    /// - Returns: the exit code: 0 after stop, 64 for wrong arguments, 71 when the process cannot be confined, 70 when
    ///   a picture took too much processor time, 74 when the parent is lost.
    static func main(_ words: [String]) -> Int32 {
        signal(SIGXFSZ, SIG_IGN)
        guard let device = DisplayDevice(words) else {
            StandardError.write(DisplayDevice.usage, program: name)
            return EX_USAGE
        }
        ProcessorLimit.prepare()
        guard ParentWatch.begin() else {
            StandardError.write("the parent is lost", program: name)
            return EX_IOERR
        }
        let confinesFiles: Bool
        do throws(ConfinementError) {
            confinesFiles = try Confinement.apply(
                AllowedCall.ofDisplay(as: getpid(), on: .native), FileRule.rules(for: device))
        } catch {
            StandardError.write("\(error)", program: name)
            return EX_OSERR
        }
        var program = DisplayProgram(device)
        do throws(ParentLost) {
            try program.run(confinesFiles: confinesFiles)
            return EXIT_SUCCESS
        } catch {
            StandardError.write("the parent is lost (\(error))", program: name)
            return EX_IOERR
        }
    }

    private mutating func run(confinesFiles: Bool) throws(ParentLost) {
        try parent.send(.hello(version: DisplayMessage.version, confinesFiles: confinesFiles))
        // The first text reads the settings of all fonts, while the kiosk prepares its first view.
        _ = text.hasLetters
        while try obey(parent.orders(within: wait(at: clock.now))) {
            try parent.checkParent()
            if panel == nil, shown != nil, clock.now >= attemptDue { try takePanel() }
            ProcessorLimit.set(ProcessorLimit.frame)
            draw()
            ProcessorLimit.set(0)
            try report()
        }
    }

    /// - Returns: false when the parent has sent stop.
    private mutating func obey(_ orders: [DisplayOrder]) -> Bool {
        for order in orders {
            switch order {
            case .stop: return false
            case .settings(let new): adopt(new)
            case .view(let number, let view):
                shown = ShownView(number: number, view: view, came: clock.now)
                if !view.showsPreview { preview = nil }
            case .preview(let picture): (preview, isNewPicture) = (picture, true)
            case .touch(let number, let key): if shown?.number == number { shown?.touched = key }
            }
        }
        return true
    }

    /// The time until the next work without an order.
    private func wait(at now: ContinuousClock.Instant) -> Duration {
        guard let shown else { return DisplayProgram.sleep }
        guard panel != nil else { return max(attemptDue - now, .zero) }
        return shown.timeToNextPicture(at: now) ?? DisplayProgram.sleep
    }

    private mutating func takePanel() throws(ParentLost) {
        attemptDue = clock.now + DisplayProgram.attemptInterval
        guard let settings else { return }
        do throws(DRMCard.Obstacle) {
            panel = try OpenPanel(try surface(), settings, text)
            shown?.wasReported = false
        } catch {
            switch error {
            case .held: try become(.held)
            case .missing(let reason): try become(.missing(reason))
            }
        }
    }

    private func surface() throws(DRMCard.Obstacle) -> any PanelSurface {
        switch device {
        case .memory(let width, let height): return MemoryPanel(width: width, height: height)
        case .panel(let card, let connector): return try DRMCard(path: card, connector: connector)
        }
    }

    /// Draws by other settings from now on. A panel that is turned is taken again.
    private mutating func adopt(_ new: DisplaySettings) {
        let old = settings
        settings = new
        guard old != new else { return }
        if panel != nil, old?.rotation == new.rotation {
            panel?.adopt(new)
            shown?.wasReported = false
        } else {
            (panel, state) = (nil, nil)
            attemptDue = clock.now
        }
    }

    private mutating func become(_ new: PanelState) throws(ParentLost) {
        guard new != state else { return }
        state = new
        try parent.send(.panel(new))
    }

    private mutating func draw() {
        defer { isNewPicture = false }
        guard let shown else { return }
        let now = clock.now
        let isTaken = panel?.draw(shown, at: now, preview, isNewPicture: isNewPicture) == false
        if isTaken { (panel, attemptDue) = (nil, now) }
    }

    private mutating func report() throws(ParentLost) {
        guard let panel else { return }
        try become(panel.state)
        guard let scene = panel.scene, let shown, !shown.wasReported else { return }
        self.shown?.wasReported = true
        try parent.send(.shown(view: shown.number, leftOut: scene.leftOut, keys: scene.keys))
    }
}
