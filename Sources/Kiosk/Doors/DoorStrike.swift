// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LinuxSystem
import Logging
import Synchronization

/// A door strike, or any other device at a GPIO line that is active for a while.
///
/// The line is always held as an inactive output, so that no other process can have it. It becomes inactive after the
/// pulse, when ``run()`` is cancelled, and when the last reference goes. A process that is killed during a pulse
/// leaves the line to the chip: the next process makes it inactive at its start.
final class DoorStrike<Bank: LineBank & ~Copyable>: DoorAction {
    /// The time until it tries again to release the line after a failure.
    static var retryPause: Duration { .seconds(1) }

    private struct State: ~Copyable {
        var bank: Bank
        /// The end of the current pulse.
        var end: Duration?
        var isRunning = false
    }

    private let state: Mutex<State>
    private let pulse: Duration
    private let time: Timekeeper
    private let logger: Logger
    private let beginnings: AsyncStream<Void>
    private let begin: AsyncStream<Void>.Continuation

    /// - Parameter bank: one line, an inactive output.
    init(_ bank: consuming sending Bank, pulse: Duration, time: Timekeeper, logger: Logger) {
        state = Mutex(State(bank: bank))
        self.pulse = pulse
        self.time = time
        self.logger = logger
        (beginnings, begin) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    deinit { state.withLock { state in try? state.bank.set(0) } }

    /// Makes the line active. A running pulse begins again.
    func carryOut(_ opening: Opening) async throws(DoorFailure) {
        let end = time.elapsed() + pulse
        let isRunning: Bool
        do throws(LineError) {
            isRunning = try state.withLock { state throws(LineError) in
                guard state.isRunning else { return false }
                try state.bank.set(1)
                state.end = end
                return true
            }
        } catch { throw DoorFailure(.broken, error.description) }
        guard isRunning else { throw DoorFailure(.broken, "the kiosk is ending; nothing would end the pulse") }
        begin.yield()
    }

    /// Ends each pulse in time.
    func run() async {
        state.withLock { $0.isRunning = true }
        for await _ in beginnings {
            while !Task.isCancelled, let rest = rest() {
                if rest > .zero {
                    try? await time.sleep(rest)
                } else if !letGo() {
                    try? await time.sleep(Self.retryPause)
                }
            }
        }
        state.withLock { $0.isRunning = false }
        _ = letGo()
    }

    /// - Returns: nil when there is no pulse.
    private func rest() -> Duration? {
        let now = time.elapsed()
        return state.withLock { $0.end.map { $0 - now } }
    }

    /// - Returns: false when the chip refused.
    private func letGo() -> Bool {
        do throws(LineError) {
            try state.withLock { state throws(LineError) in
                try state.bank.set(0)
                state.end = nil
            }
            return true
        } catch {
            logger.critical("the strike cannot be let go", metadata: ["reason": "\(error)"])
            return false
        }
    }
}
