// SPDX-License-Identifier: Apache-2.0

import Capture
import ConfinedProcess
import Glibc
import KioskPorts
import LinuxSystem
import Scanning

/// Pulls frames, looks for symbols and reports them, until the source ends, the parent sends stop, or the parent is
/// gone.
struct ScannerProgram {
    private static let name = "login-kiosk-scanner"
    /// From opening a camera to steady pictures.
    private static let openingEnd = Duration.seconds(3)
    /// The longest wait for a frame, and so the longest delay of a command.
    private static let frameWait = Duration.milliseconds(100)
    private static let pauseWait = Duration.milliseconds(250)
    /// The time between attempts to open a camera.
    private static let openingPause = Duration.milliseconds(500)

    private let clock = MonotonicFrameClock()
    private let confinesFiles: Bool
    private let nodes: VideoNodes
    private var report: ParentReport
    private var hints = HintObserver()
    private var governor = IdleGovernor()
    /// The time at which to release code that runs only at the start and when a source is opened; nil after that.
    private var letGoDue: Duration?
    private var isPaused: Bool
    private var previews = PreviewMaker()

    /// Whether a device file has appeared that this process may not open.
    private var isOutgrown: Bool { confinesFiles && VideoNodes().hasNew(since: nodes) }

    private init(confinesFiles: Bool, _ nodes: VideoNodes, _ arguments: ScannerArguments) {
        self.confinesFiles = confinesFiles
        self.nodes = nodes
        isPaused = arguments.isPaused
        report = ParentReport(taken: arguments.owed, at: clock.now)
        letGoDue = clock.now + ScannerProgram.openingEnd
    }

    /// - Returns: the exit code: 0 at the end of the source or after stop, 1 when the source is broken, 64 for wrong
    ///   arguments, 71 when the process cannot be confined, 70 when a frame took too much processor time, 74 when the
    ///   parent is lost, 75 to be restarted.
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
        do throws(Departure) {
            try program.run(source, again: arguments.known)
            return EXIT_SUCCESS
        } catch {
            return program.leave(error)
        }
    }

    private mutating func run(
        _ source: Result<SourceSpecification, FrameSourceError>, again known: String?
    ) throws(Departure) {
        try report.send(.hello(version: ScannerMessage.version, confinesFiles: confinesFiles))
        if isPaused { try report.send(.health(.paused)) }
        switch source {
        case .success(let specification): try scan(specification, again: known)
        case .failure(let error): throw .brokenSource(error)
        }
    }

    /// Reports to the parent why the process ends, unless the parent ordered it or is lost.
    ///
    /// - Returns: the exit code.
    private func leave(_ departure: Departure) -> Int32 {
        do throws(Departure) {
            switch departure {
            case .toldToStop: return EXIT_SUCCESS
            // A new process would see all device files, and may find the camera where this one finds another or none.
            case .brokenSource(let error) where !isOutgrown:
                try report.send(.health(.failed(ScannerTrouble(error))))
                return EXIT_FAILURE
            case .brokenSource, .outgrown:
                try report.send(.health(.outgrown))
                return EX_TEMPFAIL
            case .parentLost(let loss):
                StandardError.write("the parent is lost (\(loss))", program: ScannerProgram.name)
                return EX_IOERR
            }
        } catch {
            return leave(error)
        }
    }

    private mutating func scan(_ specification: SourceSpecification, again known: String?) throws(Departure) {
        var source = try open(specification, again: known)
        let isLive = source.isLive
        var scanner = Scanner(effort: isLive ? .withinBudget : .untilFound)
        try report.tell(trouble: nil)
        letGoDue = clock.now + ScannerProgram.openingEnd
        while true {
            let wasPaused = isPaused
            try obey(within: commandWait(isLive: isLive))
            if wasPaused != isPaused {
                if isPaused { source.pause() } else { source.resume() }
            }
            try sendStatistics(ifDueAt: clock.now)
            if isPaused { continue }
            source.sparesSize(isLive && governor.isResting)
            try report.tell(passedOver: source.passedOver)
            try tell(source.trouble)
            // A camera's frame has a time budget; a picture that comes only once has none.
            if !isLive { try report.send(.looking) }
            var work = FrameWork()
            let answer: FrameSourceAnswer
            do throws(FrameSourceError) {
                answer = try source.lendNext(within: ScannerProgram.frameWait) { frame in
                    work = look(at: frame, with: &scanner, isLive: isLive)
                }
            } catch { throw .brokenSource(error) }
            if work.wasSearched { source.hearSearch(hints.view) }
            try report.tell(taken: source.taken)
            report.setLosses(dropped: source.dropped, damaged: source.damaged, flawed: source.flawed)
            for error in source.takeSkipped() { try report.send(.skipped(ScannerTrouble(error))) }
            switch answer {
            case .nothing: continue
            case .ended: return try report.tellEnd()
            case .lent:
                try report.tell(camera: source.camera)
                try report.tell(work)
            }
        }
    }

    /// The longest wait for a command before the next frame.
    private func commandWait(isLive: Bool) -> Duration {
        if isPaused { return ScannerProgram.pauseWait }
        // A picture that comes only once is searched, also while the camera would rest.
        return isLive && governor.isResting ? IdleGovernor.restInterval : .zero
    }

    /// Searches a frame, unless a camera's frame repeats the one before, and makes a preview if one is due.
    private mutating func look(
        at frame: borrowing Frame, with scanner: inout Scanner, isLive: Bool
    ) -> FrameWork {
        let start = clock.now
        var work = FrameWork()
        if !isLive || governor.deserves(frame) {
            work.wasSearched = true
            ProcessorLimit.set(isLive ? ProcessorLimit.frame : ProcessorLimit.picture)
            work.symbols = scanner.symbols(in: frame)
            let hasSymbols = !work.symbols.isEmpty
            if hasSymbols { governor.wake() }
            work.advice = hints.look(
                at: frame, hasSymbols: hasSymbols, isMirrored: hasSymbols && scanner.isMirrored,
                isCrowded: scanner.isCrowded)
            ProcessorLimit.set(0)
        }
        work.spent = clock.now - start
        work.preview = previews.picture(of: frame, work.symbols.first, at: start)
        return work
    }

    /// Opens the source, after a pause. Waits for a camera that is missing or in use.
    private mutating func open(
        _ specification: SourceSpecification, again known: String?
    ) throws(Departure) -> any FrameSource & ~Copyable {
        while true {
            while isPaused {
                try obey(within: ScannerProgram.pauseWait)
                try sendStatistics(ifDueAt: clock.now)
            }
            do throws(FrameSourceError) { return try specification.open(again: known, owed: report.taken) } catch {
                guard case .camera = specification, [.notFound, .inUse].contains(error.code) else {
                    throw .brokenSource(error)
                }
                try tell(error)
            }
            try obey(within: ScannerProgram.openingPause)
            try sendStatistics(ifDueAt: clock.now)
        }
    }

    /// Reports the source's trouble, and ends the process if a new device file may be the remedy.
    private mutating func tell(_ trouble: FrameSourceError?) throws(Departure) {
        try report.tell(trouble: trouble)
        if trouble != nil, isOutgrown { throw .outgrown }
    }

    /// Carries out commands of the parent, after waiting for one within the limit.
    private mutating func obey(within limit: Duration) throws(Departure) {
        if StopSignal.hasCome { throw .toldToStop }
        for command in try report.commands(within: limit) {
            switch command {
            case .pause:
                isPaused = true
                try report.send(.health(.paused))
            case .resume:
                isPaused = false
                hints.reset()
                try report.resume()
            case .rest: governor.mayRest = true
            case .wake: governor.mayRest = false
            case .startPreviews: previews.isWanted = true
            case .stopPreviews: previews.isWanted = false
            case .stop: throw .toldToStop
            }
        }
    }

    private mutating func sendStatistics(ifDueAt now: Duration) throws(Departure) {
        try report.sendStatistics(ifDueAt: now)
        guard let due = letGoDue, now >= due else { return }
        letGoDue = nil
        ProcessMemory.letGoOfCode()
    }
}

/// The result of looking at one frame.
struct FrameWork {
    var symbols: [Symbol] = []
    var advice: ScannerAdvice?
    /// Whether the frame was searched for symbols.
    var wasSearched = false
    /// The time that the search took.
    var spent = Duration.zero
    var preview: PreviewPicture?
}

/// Why the process ends before its source does.
enum Departure: Error {
    case toldToStop
    /// A camera may have returned under a device file that did not exist when the process confined itself.
    case outgrown
    case brokenSource(FrameSourceError)
    case parentLost(ParentLost)
}
