// SPDX-License-Identifier: Apache-2.0

import ConfinedProcess
import Display
import Glibc
import KioskPorts
import LinuxSystem

/// Draws the views that the parent sends, until it says stop or is gone. Takes the panel with the first view, and waits
/// for one that is missing, or that another program holds.
struct DisplayProgram {
    private static let name = "login-kiosk-display"
    /// Between two attempts to take a panel. The parent watches the plug.
    private static let attemptInterval = Duration.seconds(2)
    /// The longest sleep.
    private static let sleep = Duration.seconds(60)
    /// A limit is shown when it is this close.
    private static let hurry = Duration.seconds(15)

    private struct Shown {
        let number: UInt32
        let view: DisplayView
        /// The key under a finger.
        var touched: KeyPlace.Key?
        let came: ContinuousClock.Instant
        var wasReported = false
    }

    private let device: DisplayArguments.Device
    private let clock = ContinuousClock()
    private var parent = ParentPipe<DisplayMessage, DisplayOrder>()
    private let text = PangoText()
    /// Nil until the parent has sent them.
    private var settings: DisplaySettings?
    private var shown: Shown?
    private var preview: PreviewPicture?
    private var panel: (any PanelSurface)?
    private var canvas: Canvas?
    private var design: ScreenDesign?
    private var scene: Scene?
    private var state: PanelState?
    /// A state that the parent is told after the first picture.
    private var pending: PanelState?
    private var isLit = true
    private var attemptDue: ContinuousClock.Instant

    private init(_ device: DisplayArguments.Device) {
        self.device = device
        attemptDue = clock.now
    }

    /// - Returns: the exit code: 0 after stop, 64 for wrong arguments, 71 when the process cannot be confined, 70 when
    ///   a picture took too much processor time, 74 when the parent is lost.
    static func main(_ words: [String]) -> Int32 {
        signal(SIGXFSZ, SIG_IGN)
        guard let arguments = DisplayArguments(words) else {
            StandardError.write(DisplayArguments.usage, program: name)
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
                AllowedCall.ofDisplay(as: getpid(), on: .native), FileRule.rules(for: arguments.device))
        } catch {
            StandardError.write("\(error)", program: name)
            return EX_OSERR
        }
        var program = DisplayProgram(arguments.device)
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
        while true {
            var newPicture = false
            let wait = max(nextWork - clock.now, .zero)
            for order in try parent.orders(within: wait) {
                switch order {
                case .stop: return
                case .settings(let new): take(new)
                case .view(let number, let view):
                    shown = Shown(number: number, view: view, came: clock.now)
                    if !view.showsPreview { preview = nil }
                case .preview(let picture):
                    preview = picture
                    newPicture = true
                case .touch(let number, let key): if shown?.number == number { shown?.touched = key }
                }
            }
            try parent.checkParent()
            if panel == nil, shown != nil, clock.now >= attemptDue { try takePanel() }
            ProcessorLimit.set(ProcessorLimit.frame)
            draw(newPicture: newPicture)
            ProcessorLimit.set(0)
            try report()
        }
    }

    /// The time of the next work without an order.
    private var nextWork: ContinuousClock.Instant {
        guard let shown else { return clock.now + DisplayProgram.sleep }
        guard panel != nil else { return attemptDue }
        guard let countdown = shown.view.countdown else { return clock.now + DisplayProgram.sleep }
        let left = countdown - (clock.now - shown.came)
        guard left > .zero else { return clock.now + DisplayProgram.sleep }
        return clock.now + (left > DisplayProgram.hurry ? left - DisplayProgram.hurry : .seconds(1))
    }

    private mutating func takePanel() throws(ParentLost) {
        attemptDue = clock.now + DisplayProgram.attemptInterval
        guard let settings else { return }
        do throws(DRMCard.Obstacle) { try take(try surface(), settings) } catch {
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

    private mutating func take(_ new: DisplaySettings) {
        let old = settings
        settings = new
        guard old != new else { return }
        if let canvas, panel != nil, old?.rotation == new.rotation {
            lay(out: canvas, new)
        } else {
            (panel, state) = (nil, nil)
            attemptDue = clock.now
        }
    }

    private mutating func take(
        _ surface: any PanelSurface, _ settings: DisplaySettings
    ) throws(DRMCard.Obstacle) {
        guard text.hasLetters else { throw .missing("there is no font; install fonts-open-sans or fonts-dejavu-core") }
        let isSideways = settings.rotation.isSideways
        let (width, height) =
            isSideways ? (surface.height, surface.width) : (surface.width, surface.height)
        guard let canvas = Canvas(width: width, height: height, text: text) else {
            throw .missing("the picture has no room in memory")
        }
        (panel, self.canvas, isLit) = (surface, canvas, true)
        lay(out: canvas, settings)
    }

    private mutating func lay(out canvas: Canvas, _ settings: DisplaySettings) {
        let own = panel?.millimetres ?? (width: 0, height: 0)
        let design = ScreenDesign(
            width: canvas.width, height: canvas.height, settings: settings, text: text,
            millimetres: settings.rotation.isSideways ? (own.height, own.width) : own)
        (self.design, scene) = (design, nil)
        shown?.wasReported = false
        pending = .shown(
            Panel(
                width: canvas.width, height: canvas.height, documentRoom: design.documentRoom,
                codeRoom: design.codeRoom))
    }

    private mutating func become(_ new: PanelState) throws(ParentLost) {
        guard new != state else { return }
        state = new
        try parent.send(.panel(new))
    }

    private mutating func draw(newPicture: Bool) {
        guard let panel, let canvas, let design, let settings, let shown, isLit || !shown.view.isAsleep else { return }
        let new = design.scene(of: shown.view, share: share(of: shown)).touched(at: shown.touched)
        var parts = new.damage(since: scene)
        if newPicture, let place = new.previewPlace, parts != [place], !parts.contains(where: { $0.covers(place) }) {
            parts.append(place)
        }
        scene = new
        if !parts.isEmpty {
            canvas.paint(new, parts, preview: preview)
            panel.show(canvas, parts, settings.rotation)
        }
        guard isLit == shown.view.isAsleep else { return }
        isLit.toggle()
        if !panel.light(isLit) { (self.panel, attemptDue) = (nil, clock.now) }
    }

    /// The thousandths of the time that is left, in whole seconds; nil without haste.
    private func share(of shown: Shown) -> Int? {
        guard let countdown = shown.view.countdown else { return nil }
        let left = countdown - (clock.now - shown.came)
        guard left <= DisplayProgram.hurry else { return nil }
        let whole = min(countdown, DisplayProgram.hurry)
        let seconds: Double = max(left, .zero) / .seconds(1)
        let all: Double = whole / .seconds(1)
        return all > 0 ? Int(min(seconds.rounded(.up) / all, 1) * 1000) : 0
    }

    private mutating func report() throws(ParentLost) {
        if let pending {
            self.pending = nil
            try become(pending)
        }
        guard panel != nil, let scene, let shown, !shown.wasReported else { return }
        self.shown?.wasReported = true
        try parent.send(.shown(view: shown.number, leftOut: scene.leftOut, keys: scene.keys))
    }
}

extension Rectangle {
    fileprivate func covers(_ other: Rectangle) -> Bool {
        x <= other.x && y <= other.y && x + width >= other.x + other.width && y + height >= other.y + other.height
    }
}
