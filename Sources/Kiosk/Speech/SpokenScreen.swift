// SPDX-License-Identifier: Apache-2.0

public import KioskPorts
import LinuxSystem
public import Signage
import Synchronization

/// The screen for people who listen.
///
/// ``run()`` speaks; views may come before and after. There is one process at most: a new utterance ends the one
/// before. If several come while it ends, only the newest is spoken.
public final class SpokenScreen: KioskScreen {
    public let documentRoom: DocumentPageSize? = nil
    private let narrator: Mutex<Narrator>
    private let program: SpeechProgram
    private let report: @Sendable (SpeechFault?) -> Void
    private let fault = Mutex<SpeechFault?>(nil)
    private let utterances: AsyncStream<Utterance>
    private let sink: AsyncStream<Utterance>.Continuation

    /// - Parameters:
    ///   - languages: the view chooses the one that is spoken.
    ///   - device: the device that plays, by its name in ALSA; nil for the usual one.
    ///   - runtimeDirectory: `XDG_RUNTIME_DIR`, where a sound server of this user listens.
    ///   - clock: for the longest time of one utterance.
    ///   - find: the path of `espeak-ng`; nil when it is not installed.
    ///   - report: called when speech begins to fail, and with nil when it works again.
    public init(
        languages: Languages, output: SpeechOutput, device: String? = nil, runtimeDirectory: String? = nil,
        clock: some Clock<Duration> = ContinuousClock(), find: @escaping @Sendable () -> String?,
        report: @escaping @Sendable (SpeechFault?) -> Void
    ) {
        narrator = Mutex(Narrator(languages: languages, output: output))
        program = SpeechProgram(find: find, device: device, runtimeDirectory: runtimeDirectory, time: Timekeeper(clock))
        self.report = report
        (utterances, sink) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    public func show(_ view: KioskView) async {
        if let utterance = narrator.withLock({ $0.follow(view) }) { sink.yield(utterance) }
    }

    /// Speaks until the task is cancelled. Call it once.
    public func run() async {
        if program.find() == nil { note(SpeechFault("espeak-ng is not installed")) }
        var speaking: Task<Void, Never>?
        for await utterance in utterances {
            if !utterance.waits {
                speaking?.cancel()
                await speaking?.value
            }
            speaking = Task { [speaking] in
                await withTaskCancellationHandler {
                    await speaking?.value
                } onCancel: {
                    speaking?.cancel()
                }
                await speak(utterance)
            }
        }
        speaking?.cancel()
        await speaking?.value
    }

    private func speak(_ utterance: Utterance) async {
        guard !Task.isCancelled else { return }
        let fault = await program.speak(utterance)
        if !Task.isCancelled { note(fault) }
    }

    private func note(_ newest: SpeechFault?) {
        let isNew = fault.withLock { last in
            defer { last = newest }
            return last != newest
        }
        if isNew { report(newest) }
    }
}
