// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LinuxSystem
import Logging
import Subprocess
import Synchronization
import SystemPackage

/// One run of the scanner's process.
struct ScannerChild: Sendable {
    enum Ending: Sendable, Equatable {
        /// The source has ended.
        case sourceEnded
        /// A device file has appeared that it may not open, so it must be restarted.
        case outgrown
        case failure(ScannerTrouble)

        static func broken(_ reason: String) -> Ending { .failure(ScannerTrouble(.broken, reason)) }
    }

    /// Enough for the message of a scanner that cannot start.
    private static let complaintLimit = 64 * 1024
    /// A good scanner ends when its standard input closes. A scanner that ignores that and the signal is killed.
    private static let teardown = [TeardownStep.gracefulShutDown(allowedDurationToNextStep: .seconds(1))]

    private let link: ScannerProcess

    init(_ link: ScannerProcess) { self.link = link }

    func run() async -> Ending {
        let (commands, commandSink) = AsyncStream.makeStream(
            of: ScannerCommand.self, bufferingPolicy: .bufferingNewest(16))
        let arguments = start(commandSink)
        defer { link.wishes.withLock { $0.commands = nil } }
        var options = PlatformOptions()
        // Ctrl-C is meant for the kiosk, which then ends its scanner in its own time.
        options.processGroupID = 0
        options.teardownSequence = Self.teardown
        do {
            let result = try await Subprocess.run(
                .path(FilePath(link.executable)), arguments: Arguments(arguments), environment: .custom([:]),
                platformOptions: options, input: .inputWriter, output: .sequence,
                error: .string(limit: Self.complaintLimit)
            ) { execution in
                let ending = await converse(
                    with: execution.processIdentifier.value, hearing: execution.standardOutput,
                    sending: commands, to: execution.standardInputWriter)
                try? await execution.standardInputWriter.finish()
                await execution.teardown(using: Self.teardown)
                return ending
            }
            guard case .failure(let trouble) = result.closureResult,
                let complaint = result.standardError.split(separator: "\n").last
            else { return result.closureResult }
            return .failure(ScannerTrouble(trouble.kind, "\(trouble.reason): \(complaint)"))
        } catch {
            return .broken("\(link.executable) cannot be started: \(error)")
        }
    }

    /// Sends what is wished from now on to `commandSink`.
    ///
    /// - Returns: the arguments for what is wished already.
    private func start(_ commandSink: AsyncStream<ScannerCommand>.Continuation) -> [String] {
        link.wishes.withLock { wishes in
            var arguments = ["--source", link.source]
            wishes.commands = commandSink
            if wishes.isPaused { arguments.append("--paused") }
            if wishes.wantsPreviews { commandSink.yield(.startPreviews) }
            if wishes.mayRest { commandSink.yield(.rest) }
            if let camera = wishes.knownCamera { arguments += ["--known", camera] }
            if !wishes.taken.isEmpty { arguments += ["--give-back", wishes.taken.argument] }
            return arguments
        }
    }

    /// Reads messages and sends commands until the scanner has nothing more to say.
    private func converse(
        with process: pid_t, hearing output: SubprocessOutputSequence,
        sending commands: AsyncStream<ScannerCommand>, to input: StandardInputWriter
    ) async -> Ending {
        let silence = Silence(link.time) { ProcessorWait.total(of: process) }
        return await withTaskGroup(of: Ending?.self) { group in
            group.addTask { await hear(output, silence) }
            group.addTask {
                for await command in commands {
                    guard (try? await input.write(command.encoded())) != nil else { break }
                }
                return nil
            }
            group.addTask { await watch(silence) }
            defer { group.cancelAll() }
            for await case let ending? in group { return ending }
            return .broken("it was cancelled")
        }
    }

    /// - Returns: nil when the task was cancelled.
    private func watch(_ silence: Silence) async -> Ending? {
        while !Task.isCancelled {
            try? await link.time.sleep(Silence.interval)
            let (duration, isAnnounced) = silence.look()
            guard duration <= (isAnnounced ? ScannerProcess.longPatience : ScannerProcess.patience) else {
                return .broken("it said nothing for \(duration.text)")
            }
            if duration > ScannerProcess.patience { link.sink.yield(.looking(duration)) }
        }
        return nil
    }

    private func hear(_ output: SubprocessOutputSequence, _ silence: Silence) async -> Ending {
        var splitter = PipeMessageSplitter()
        var wasGreeted = false
        var ending = Ending.broken("it ended without a word")
        do {
            for try await chunk in output {
                // Safe: the bytes are read while the chunk is lent.
                unsafe chunk.withUnsafeBytes { bytes in
                    unsafe splitter.append(bytes.bindMemory(to: UInt8.self).span)
                }
                while let body = try splitter.next() {
                    let message = try ScannerMessage(body: body)
                    silence.end(isAnnounced: message == .looking)
                    guard let message else { continue }
                    if case .hello = message { wasGreeted = true }
                    guard wasGreeted else { return .broken("it does not begin with its version") }
                    ending = report(message) ?? ending
                }
            }
        } catch {
            return .broken("\(error)")
        }
        return ending
    }

    /// - Returns: the scanner's reason for ending.
    private func report(_ message: ScannerMessage) -> Ending? {
        switch message {
        case .hello(_, let confinesFiles):
            link.confinesFiles = confinesFiles
            if !confinesFiles {
                link.logger.warning("the scanner may read other files: this kernel has no Landlock")
            }
        case .looking, .health(.paused): break
        case .taken(let settings): link.wishes.withLock { $0.taken = settings }
        case .skipped(let trouble): link.sink.yield(.skipped(trouble))
        case .passedOver(let reasons): link.sink.yield(.passedOver(reasons))
        // Symbols that were under way when the camera was paused are dropped too.
        case .symbol(let symbol): if !link.wishes.withLock(\.isPaused) { link.sink.yield(.symbol(symbol)) }
        case .hint(let advice): if !link.wishes.withLock(\.isPaused) { link.sink.yield(.hint(advice)) }
        case .stats(let statistics):
            link.sink.yield(.statistics(statistics))
            link.logger.trace(
                "scanner", metadata: ["frames": "\(statistics.frames)", "symbols": "\(statistics.symbols)"])
        case .preview(let picture):
            if link.wishes.withLock({ !$0.isPaused && $0.wantsPreviews }) { link.previewSink.yield(picture) }
        case .health(.running(let camera)):
            if !camera.isEmpty { link.wishes.withLock { $0.knownCamera = camera } }
            link.sink.yield(.available(camera: camera))
        case .health(.waiting(let trouble)): link.sink.yield(.unavailable(link.explain(trouble)))
        case .health(.ended): return .sourceEnded
        case .health(.failed(let trouble)): return .failure(link.explain(trouble))
        case .health(.outgrown): return .outgrown
        }
        return nil
    }
}
