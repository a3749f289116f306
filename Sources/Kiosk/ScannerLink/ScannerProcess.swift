// SPDX-License-Identifier: Apache-2.0

public import KioskPorts
public import Logging
import Synchronization
import LinuxSystem

/// The scanner in a process of its own, as the kiosk's source of symbols.
///
/// ``run()`` keeps it alive: a scanner that dies, is silent for too long or breaks the protocol is ended and
/// restarted, after a pause that grows from 0.5 to 8 seconds. A pause for the keypad survives restarts, and so does
/// the choice of the camera: a different one is reported before it is used.
public final class ScannerProcess: SymbolSource {
    /// A scanner reports its counters every second; one that is silent this long hangs. ``Silence`` measures it.
    static let patience = Duration.seconds(5)
    /// The same while it searches one picture with every attempt, as it announced. A detailed one of 8192 x 8192
    /// pixels takes half of that on a slow processor.
    static let longPatience = Duration.seconds(120)
    static let restartPauses: [Duration] = [.milliseconds(500), .seconds(1), .seconds(2), .seconds(4), .seconds(8)]
    /// A scanner that ran this long is healthy: the next restart is quick again.
    static let healthyAge = Duration.seconds(30)

    public let executable: String
    let source: String
    let logger: Logger
    let explain: @Sendable (ScannerTrouble) -> ScannerTrouble
    let time: Timekeeper
    /// The camera's pictures, while ``wantsPreviews(_:)`` was last called with true and the camera is not paused. A
    /// slow consumer gets the newest. The stream is for one consumer and ends with ``run()``.
    public let previews: AsyncStream<PreviewPicture>
    let previewSink: AsyncStream<PreviewPicture>.Continuation
    let symbols: AsyncStream<SymbolSourceReport>
    let sink: AsyncStream<SymbolSourceReport>.Continuation
    let wishes = Mutex(Wishes())
    private let filesConfined = Mutex<Bool?>(nil)

    /// Whether the kernel restricts the latest scanner to the files of its source; nil before the first report.
    public internal(set) var confinesFiles: Bool? {
        get { filesConfined.withLock(\.self) }
        set { filesConfined.withLock { $0 = newValue } }
    }

    struct Wishes {
        var isPaused = false
        var wantsPreviews = false
        var mayRest = false
        /// The camera of the previous run.
        var knownCamera: String?
        /// Controls that a scanner took from that camera's regulation and has not given back.
        var taken: [ControlSetting] = []
        /// Commands to the running scanner.
        var commands: AsyncStream<ScannerCommand>.Continuation?
    }

    /// - Parameters:
    ///   - executable: path of `login-kiosk-scanner`.
    ///   - source: the pictures' source, in the grammar of its `--source`.
    ///   - clock: for patience and restart pauses.
    ///   - explain: adds facts to a trouble that the confined process cannot see.
    public init(
        executable: String, source: String, clock: some Clock<Duration> = ContinuousClock(), logger: Logger,
        explaining explain: @escaping @Sendable (ScannerTrouble) -> ScannerTrouble = { $0 }
    ) {
        self.executable = executable
        self.source = source
        time = Timekeeper(clock)
        self.logger = logger
        self.explain = explain
        // The buffer holds more symbols than a picture has.
        (symbols, sink) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(512))
        (previews, previewSink) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    public func reports() -> AsyncStream<SymbolSourceReport> { symbols }

    public func pause() async { wish(.pause) }

    public func resume() async { wish(.resume) }

    public func mayRest(_ mayRest: Bool) async {
        wishes.withLock { wishes in
            guard wishes.mayRest != mayRest else { return }
            wishes.mayRest = mayRest
            wishes.commands?.yield(mayRest ? .rest : .wake)
        }
    }

    /// Whether to send pictures; survives restarts. False at first.
    public func wantsPreviews(_ isWanted: Bool) {
        wishes.withLock { wishes in
            guard wishes.wantsPreviews != isWanted else { return }
            wishes.wantsPreviews = isWanted
            wishes.commands?.yield(isWanted ? .startPreviews : .stopPreviews)
        }
    }

    /// Runs until the task is cancelled or the source has ended; the reports end then, too.
    public func run() async {
        defer {
            sink.finish()
            previewSink.finish()
        }
        var failures = 0
        while !Task.isCancelled {
            let started = time.elapsed()
            let ending = await ScannerChild(self).run()
            if Task.isCancelled { return }
            switch ending {
            case .sourceEnded: return
            case .outgrown: logger.info("scanner restarts for a device file that has come")
            case .failure(let trouble):
                sink.yield(.unavailable(trouble))
                // Reported once: an operator who replaced it on purpose wants the new one used.
                if trouble.kind == .exchanged { wishes.withLock { ($0.knownCamera, $0.taken) = (nil, []) } }
                if time.elapsed() - started > ScannerProcess.healthyAge { failures = 0 }
                failures += 1
                logger.warning("scanner restarts", metadata: ["reason": "\(trouble)"])
            }
            let step = min(max(failures - 1, 0), ScannerProcess.restartPauses.count - 1)
            try? await time.sleep(ScannerProcess.restartPauses[ending == .outgrown ? 0 : step])
        }
    }

    private func wish(_ command: ScannerCommand) {
        wishes.withLock { wishes in
            wishes.isPaused = command == .pause
            wishes.commands?.yield(command)
        }
    }
}
