// SPDX-License-Identifier: Apache-2.0

public import KioskPorts
import Synchronization

/// Keys from a script, pressed one after the other at a steady pace: for runs without hardware.
///
/// The script is text, one action a line; `#` begins a comment. See ``KeyScript`` for the grammar.
public struct ScriptedKeypad: Keypad {
    private let script: KeyScript
    private let pause: Duration
    private let sleep: @Sendable (Duration) async throws -> Void

    /// - Parameters:
    ///   - pause: before each key, so that the kiosk can show its effect.
    ///   - clock: measures the pauses.
    public init(
        _ script: KeyScript, pause: Duration = .milliseconds(100), clock: some Clock<Duration> = ContinuousClock()
    ) {
        self.script = script
        self.pause = pause
        sleep = { try await clock.sleep(for: $0) }
    }

    public func reports() -> AsyncStream<KeypadReport> {
        let (actions, pause, sleep) = (script.actions, pause, sleep)
        let position = ScriptPosition()
        return AsyncStream {
            while let action = position.next(of: actions) {
                switch action {
                case .press(let key):
                    guard (try? await sleep(pause)) != nil else { return nil }
                    return .pressed(KeyPress(key))
                case .wait(let duration):
                    guard (try? await sleep(duration)) != nil else { return nil }
                }
            }
            return nil
        }
    }
}

/// The position reached in a script.
final class ScriptPosition: Sendable {
    private let index = Mutex(0)

    func next(of actions: [KeyScript.Action]) -> KeyScript.Action? {
        index.withLock { index in
            guard index < actions.count else { return nil }
            defer { index += 1 }
            return actions[index]
        }
    }
}
