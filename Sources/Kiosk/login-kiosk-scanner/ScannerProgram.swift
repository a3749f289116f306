// SPDX-License-Identifier: Apache-2.0

import Capture
import ConfinedProcess
import Glibc
import KioskPorts
import LinuxSystem
import Scanning

/// Pulls frames, looks for symbols and reports them, until the source ends, the parent says stop, or the parent is
/// gone.
struct ScannerProgram {
    private static let name = "login-kiosk-scanner"
    /// A symbol that stays in view is reported again after this many frames.
    private static let repeatDistance: UInt64 = 10
    private static let statisticsInterval = Duration.seconds(1)
    /// From opening a camera to steady pictures.
    private static let openingEnd = Duration.seconds(3)
    /// The longest wait for a frame, and so the longest delay of a command.
    private static let frameWait = Duration.milliseconds(100)
    private static let pauseWait = Duration.milliseconds(250)
    /// Between attempts to open a camera.
    private static let openingPause = Duration.milliseconds(500)

    private let clock = MonotonicFrameClock()
    private let confinesFiles: Bool
    private let nodes: VideoNodes
    private var parent = ParentPipe<ScannerMessage, ScannerCommand>()
    private var filter = RepeatFilter(distance: repeatDistance)
    private var hints = HintObserver()
    private var governor = IdleGovernor()
    private var statistics = ScannerStatistics()
    private var statisticsDue: Duration
    /// The time at which to release code that runs only at the start and when a source is opened; nil after that.
    private var letGoDue: Duration?
    private var isPaused: Bool
    private var previews = PreviewMaker()
    /// The source's camera; nil until its first frame: an opened camera may deliver nothing.
    private var camera: String?
    private var trouble: FrameSourceError?
    /// The controls that the parent knows to be taken from the camera's own regulation.
    private var taken: [ControlSetting]
    /// The parent's knowledge of what was passed over.
    private var passedOver: [String]?

    /// The state of a process that is not paused; nil while there is nothing to report.
    private var health: ScannerHealth? {
        trouble.map { .waiting(ScannerTrouble($0)) } ?? camera.map { .running(camera: $0) }
    }

    /// Whether a device file has appeared that this process may not open.
    private var isOutgrown: Bool { confinesFiles && VideoNodes().hasNew(since: nodes) }

    private init(confinesFiles: Bool, _ nodes: VideoNodes, _ arguments: ScannerArguments) {
        self.confinesFiles = confinesFiles
        self.nodes = nodes
        isPaused = arguments.isPaused
        taken = arguments.owed
        statisticsDue = clock.now + ScannerProgram.statisticsInterval
        letGoDue = clock.now + ScannerProgram.openingEnd
    }

    /// - Returns: the exit code: 0 at the end of the source or after stop, 1 when the source is broken, 64 for wrong
    ///   arguments, 71 when the process cannot be confined, 70 when a frame took too much processor time, 74 when the parent is lost, 75 to be restarted.
    static func main(_ words: [String]) -> Int32 {
        // Writing a message to a plain file, which must not grow, then returns an error instead of a signal.
        signal(SIGXFSZ, SIG_IGN)
        guard let arguments = ScannerArguments(words) else {
            StandardError.write(ScannerArguments.usage, program: name)
            return EX_USAGE
        }
        ProcessorLimit.prepare()
        guard ParentWatch.begin() else {
            StandardError.write("the parent is lost (\(ParentLost.isGone))", program: name)
            return EX_IOERR
        }
        let source = Result { () throws(FrameSourceError) in try SourceSpecification(arguments.source) }
        let nodes = VideoNodes()
        let confinesFiles: Bool
        do throws(ConfinementError) {
            let known = try? source.get()
            if case .camera = known { StopSignal.watch() }
            confinesFiles = try Confinement.apply(
                opening: known.map { AllowedCall.Opening($0) } ?? .nothing,
                known.map { FileRule.rules(for: $0, nodes) } ?? [])
        } catch {
            StandardError.write("\(error)", program: name)
            return EX_OSERR
        }
        var program = ScannerProgram(confinesFiles: confinesFiles, nodes, arguments)
        do throws(ParentLost) { return try program.run(source, again: arguments.known) } catch {
            StandardError.write("the parent is lost (\(error))", program: name)
            return EX_IOERR
        }
    }

    private mutating func run(
        _ source: Result<SourceSpecification, FrameSourceError>, again known: String?
    ) throws(ParentLost) -> Int32 {
        try parent.send(.hello(version: ScannerMessage.version, confinesFiles: confinesFiles))
        if isPaused { try parent.send(.health(.paused)) }
        do { try scan(try source.get(), again: known) } catch let error as FrameSourceError {
            // A new process would see all device files, and may find the camera where this one finds another or none.
            if isOutgrown { return try leaveOutgrown() }
            try parent.send(.health(.failed(ScannerTrouble(error))))
            return EXIT_FAILURE
        } catch let error as ParentLost {
            throw error
        } catch Departure.toldToStop {
            return EXIT_SUCCESS
        } catch Departure.outgrown {
            return try leaveOutgrown()
        } catch {
            fatalError("an error of no known kind: \(error)")
        }
        return EXIT_SUCCESS
    }

    private func leaveOutgrown() throws(ParentLost) -> Int32 {
        try parent.send(.health(.outgrown))
        return EX_TEMPFAIL
    }

    private mutating func scan(_ specification: SourceSpecification, again known: String?) throws {
        var source = try open(specification, again: known)
        var scanner = Scanner(effort: source.isLive ? .withinBudget : .untilFound)
        (trouble, letGoDue) = (nil, clock.now + ScannerProgram.openingEnd)
        while true {
            let wasPaused = isPaused
            // A picture that comes only once is searched, also while the camera would rest.
            let rests = source.isLive && governor.isResting
            try obey(within: isPaused ? ScannerProgram.pauseWait : rests ? IdleGovernor.restInterval : .zero)
            if wasPaused != isPaused {
                if isPaused { source.pause() } else { source.resume() }
            }
            try sendStatistics(ifDueAt: clock.now)
            if isPaused { continue }
            source.sparesSize(source.isLive && governor.isResting)
            try tell(passedOver: source.passedOver)
            try tell(source.trouble)
            var symbols: [Symbol] = []
            var advice: ScannerAdvice?
            var wasSearched = false
            let clock = clock
            var spent = Duration.zero
            var preview: PreviewPicture?
            let isLive = source.isLive
            // A camera's frame has a time budget; a picture that comes only once has none.
            if !isLive { try parent.send(.looking) }
            let answer = try source.lendNext(within: ScannerProgram.frameWait) { frame in
                let start = clock.now
                // A picture comes only once; a camera's frame may repeat the previous one.
                if !isLive || governor.deserves(frame) {
                    wasSearched = true
                    ProcessorLimit.set(isLive ? ProcessorLimit.frame : ProcessorLimit.picture)
                    symbols = scanner.symbols(in: frame)
                    if !symbols.isEmpty { governor.wake() }
                    advice = hints.look(
                        at: frame, hasSymbols: !symbols.isEmpty,
                        isMirrored: !symbols.isEmpty && scanner.isMirrored, isCrowded: scanner.isCrowded)
                    ProcessorLimit.set(0)
                }
                spent = clock.now - start
                preview = previews.picture(of: frame, symbols.first, at: start)
            }
            if wasSearched { source.hearSearch(hints.view) }
            try tell(taken: source.taken)
            (statistics.dropped, statistics.damaged, statistics.flawed) =
                (source.dropped, source.damaged, source.flawed)
            for error in source.takeSkipped() { try parent.send(.skipped(ScannerTrouble(error))) }
            switch answer {
            case .nothing: continue
            case .ended:
                try sendStatistics(ifDueAt: statisticsDue)
                return try parent.send(.health(.ended))
            case .lent:
                if camera == nil {
                    (camera, trouble) = (source.camera, nil)
                    if let health { try parent.send(.health(health)) }
                }
                statistics.frames += 1
                statistics.decoding += spent
                try report(symbols)
                if let advice { try parent.send(.hint(advice)) }
                if let preview { try parent.send(.preview(preview)) }
            }
        }
    }

    /// Opens the source, after a pause. Waits for a camera that is missing or in use.
    private mutating func open(
        _ specification: SourceSpecification, again known: String?
    ) throws -> any FrameSource & ~Copyable {
        while true {
            while isPaused {
                try obey(within: ScannerProgram.pauseWait)
                try sendStatistics(ifDueAt: clock.now)
            }
            do throws(FrameSourceError) { return try specification.open(again: known, owed: taken) } catch {
                guard case .camera = specification, [.notFound, .inUse].contains(error.code) else { throw error }
                try tell(error)
            }
            try obey(within: ScannerProgram.openingPause)
            try sendStatistics(ifDueAt: clock.now)
        }
    }

    /// Reports a trouble that began, changed or ended.
    private mutating func tell(_ new: FrameSourceError?) throws {
        if new != trouble {
            trouble = new
            if let health { try parent.send(.health(health)) }
        }
        if new != nil, isOutgrown { throw Departure.outgrown }
    }

    /// Reports what the camera's own regulation is to have back, if it has changed.
    private mutating func tell(taken new: [ControlSetting]) throws(ParentLost) {
        guard new != taken else { return }
        taken = new
        try parent.send(.taken(new))
    }

    /// Reports what was passed over, if it has changed.
    private mutating func tell(passedOver new: [String]?) throws(ParentLost) {
        guard let new, new != passedOver else { return }
        passedOver = new
        try parent.send(.passedOver(new))
    }

    private mutating func report(_ symbols: [Symbol]) throws(ParentLost) {
        for symbol in symbols {
            statistics.symbols += 1
            if filter.admits(symbol, frame: statistics.frames) {
                try parent.send(.symbol(symbol))
            } else {
                statistics.repeats += 1
            }
        }
    }

    /// Carries out commands of the parent, after waiting for one within the limit.
    private mutating func obey(within limit: Duration) throws {
        if StopSignal.hasCome { throw Departure.toldToStop }
        for command in try parent.orders(within: limit) {
            switch command {
            case .pause:
                isPaused = true
                try parent.send(.health(.paused))
            case .resume:
                isPaused = false
                filter.reset()
                hints.reset()
                if let health { try parent.send(.health(health)) }
            case .rest: governor.mayRest = true
            case .wake: governor.mayRest = false
            case .startPreviews: previews.isWanted = true
            case .stopPreviews: previews.isWanted = false
            case .stop: throw Departure.toldToStop
            }
        }
    }

    private mutating func sendStatistics(ifDueAt now: Duration) throws(ParentLost) {
        guard now >= statisticsDue else { return }
        statisticsDue = now + ScannerProgram.statisticsInterval
        try parent.checkParent()
        try parent.send(.stats(statistics))
        guard let due = letGoDue, now >= due else { return }
        letGoDue = nil
        ProcessMemory.letGoOfCode()
    }
}

/// Why the process ends although its source is neither broken nor at its end.
enum Departure: Error {
    case toldToStop
    /// A camera may have returned under a device file that did not exist when the process confined itself.
    case outgrown
}
