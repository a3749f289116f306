// SPDX-License-Identifier: Apache-2.0

public import KioskPorts
import Synchronization

/// The kiosk's lamps and buzzer as a screen.
///
/// ``run()`` plays the patterns; views may come before and after. A device that fails is reported once and not used
/// any more.
public final class SignalLights: KioskScreen {
    public let documentRoom: DocumentPageSize? = nil
    private let output: any SignalOutput
    private let elapsed: @Sendable () -> Duration
    private let sleep: @Sendable (Duration) async throws -> Void
    private let complain: @Sendable (String) -> Void
    private let timeline = Mutex(SignalTimeline())
    private let wakings: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation

    /// - Parameter complain: called with the reason when the device fails.
    public init<C: Clock<Duration>>(
        output: any SignalOutput, clock: C = ContinuousClock(), complain: @escaping @Sendable (String) -> Void
    ) {
        self.output = output
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(for: $0) }
        self.complain = complain
        (wakings, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    public func show(_ view: KioskView) async {
        let now = elapsed()
        timeline.withLock { $0.follow(view, at: now) }
        wake.yield()
    }

    /// Plays until the task is cancelled, then switches everything off. Call it once.
    public func run() async {
        var last: SignalLevel?
        do {
            while !Task.isCancelled {
                let now = elapsed()
                let (level, changesIn) = timeline.withLock { $0.level(at: now) }
                if level != last { try await output.set(level) }
                last = level
                await waitForView(atMost: changesIn)
            }
            try await output.set([])
        } catch {
            complain("\(error)")
        }
    }

    /// Waits for the next view, or until the level changes by itself.
    private func waitForView(atMost changesIn: Duration?) async {
        await withTaskGroup(of: Void.self) { group in
            if let changesIn {
                group.addTask {
                    guard (try? await self.sleep(changesIn)) != nil else { return }
                    self.wake.yield()
                }
            }
            for await _ in wakings { break }
            group.cancelAll()
        }
    }
}
