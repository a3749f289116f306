// SPDX-License-Identifier: Apache-2.0

import Capture
import Glibc
import KioskCore
import Scanning

/// Pulls frames, looks for symbols and reports them, until the source ends, the parent says stop, or the parent is gone.
struct ScannerProgram {
    /// A symbol that stays in view is reported again after this many frames.
    private static let repeatDistance: UInt64 = 10
    private static let statisticsInterval = Duration.seconds(1)
    /// The longest wait for a frame, and so the longest wait of a command.
    private static let frameWait = Duration.milliseconds(100)
    private static let pauseWait = Duration.milliseconds(250)

    private let clock = MonotonicFrameClock()
    private var parent = ParentPipe()
    private var filter = RepeatFilter(distance: repeatDistance)
    private var hints = HintObserver()
    private var governor = IdleGovernor()
    private var statistics = ScannerStatistics()
    private var statisticsDue = Duration.zero
    private var isPaused = false
    private var previews = PreviewMaker()

    private init() {}

    /// - Returns: the exit code: 0 at the end of the source or when told to stop, 1 when the source is broken, 64 for
    ///   wrong arguments, 74 when the parent is lost.
    static func main(_ arguments: [String]) -> Int32 {
        // A parent that is gone is an error of write, not a signal.
        signal(SIGPIPE, SIG_IGN)
        // So is a complaint to a plain file, which must not grow.
        signal(SIGXFSZ, SIG_IGN)
        guard arguments.count == 2, arguments[0] == "--source" else {
            Complaint.write("usage: login-kiosk-scanner --source SOURCE")
            return EX_USAGE
        }
        var program = ScannerProgram()
        do throws(ParentLost) { return try program.run(arguments[1]) } catch {
            Complaint.write("the parent is lost (\(error))")
            return EX_IOERR
        }
    }

    private mutating func run(_ source: String) throws(ParentLost) -> Int32 {
        try parent.send(.hello(version: ScannerMessage.version))
        do { try scan(source) } catch let error as FrameSourceError {
            try parent.send(.health(.failed(error.description)))
            return EXIT_FAILURE
        } catch let error as ParentLost {
            throw error
        } catch {
            fatalError("an error of no known kind: \(error)")
        }
        return EXIT_SUCCESS
    }

    private mutating func scan(_ text: String) throws {
        var source = try SourceSpecification(text).open()
        var scanner = Scanner(effort: source.isLive ? .withinBudget : .untilFound)
        try parent.send(.health(.running))
        while true {
            for command in try parent.commands(within: isPaused ? ScannerProgram.pauseWait : .zero) {
                guard try obey(command) else { return }
            }
            try sendStatistics(ifDueAt: clock.now)
            if isPaused { continue }
            var symbols: [Symbol] = []
            var advice: ScannerAdvice?
            let clock = clock
            var spent = Duration.zero
            var preview: PreviewPicture?
            let isLive = source.isLive
            let answer = try source.lendNext(within: ScannerProgram.frameWait) { frame in
                let start = clock.now
                // A picture is shown once; a camera's frame may be like the one before it.
                if !isLive || governor.deserves(frame) {
                    symbols = scanner.symbols(in: frame)
                    if !symbols.isEmpty { governor.wake() }
                    advice = hints.look(
                        at: frame, hasSymbols: !symbols.isEmpty,
                        isMirrored: !symbols.isEmpty && scanner.isMirrored)
                }
                spent = clock.now - start
                preview = previews.picture(of: frame, at: start)
            }
            statistics.dropped = source.dropped
            switch answer {
            case .nothing: continue
            case .ended:
                try sendStatistics(ifDueAt: statisticsDue)
                return try parent.send(.health(.ended))
            case .lent:
                statistics.frames += 1
                statistics.decoding += spent
                try report(symbols)
                if let advice { try parent.send(.hint(advice)) }
                if let preview { try parent.send(.preview(preview)) }
            }
        }
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

    /// - Returns: false for the word to stop.
    private mutating func obey(_ command: ScannerCommand) throws(ParentLost) -> Bool {
        switch command {
        case .pause:
            isPaused = true
            try parent.send(.health(.paused))
        case .resume:
            isPaused = false
            filter.reset()
            hints.reset()
            try parent.send(.health(.running))
        case .startPreviews: previews.isWanted = true
        case .stopPreviews: previews.isWanted = false
        case .stop: return false
        }
        return true
    }

    private mutating func sendStatistics(ifDueAt now: Duration) throws(ParentLost) {
        guard now >= statisticsDue else { return }
        statisticsDue = now + ScannerProgram.statisticsInterval
        try parent.checkParent()
        try parent.send(.stats(statistics))
    }
}
