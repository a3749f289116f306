// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import HostIntegration
import Keypads
import KioskPorts
import Synchronization

/// Shows the keys of a keypad until OK is pressed, and names the digits that did not come.
struct KeypadTrial {
    /// The time without a key after which a keypad is treated as silent: it may have taken the keyboard from the
    /// terminal.
    private static let patience = Duration.seconds(30)
    private static let interval = Duration.milliseconds(200)

    let specification: KeypadSpecification
    let dialogue: any SetupDialogue

    /// - Returns: the digits that were not pressed; nil when the person or the time ended the trial without OK.
    func run() async throws -> [UInt8]? {
        let heard = Heard()
        let tester = KeypadTester(
            specification: specification, showsDigits: true, asJSON: false, isSilent: dialogue.hasKioskKeys
        ) { heard.note($0) }
        return try await withThrowingTaskGroup(of: Ending?.self) { group in
            group.addTask {
                try await tester.run()
                return nil
            }
            // The terminal's own keys come through the keypad.
            if specification != .console {
                group.addTask {
                    try await dialogue.watch(isCamera: false)
                    return .left
                }
            }
            group.addTask {
                while ContinuousClock.now < heard.latest + KeypadTrial.patience {
                    if heard.isOver { return .confirmed(missing: heard.missing) }
                    try await Task.sleep(for: KeypadTrial.interval)
                }
                return .left
            }
            defer { group.cancelAll() }
            for try await case let ending? in group {
                guard case .confirmed(let missing) = ending else { break }
                return missing
            }
            return nil
        }
    }

    /// An end of the trial. It does not include the end of the keypad.
    private enum Ending {
        case confirmed(missing: [UInt8])
        case left
    }

    private final class Heard: Sendable {
        private struct State {
            var digits: Set<UInt8> = []
            var isOver = false
            var latest = ContinuousClock.now
        }

        private let state = Mutex(State())

        func note(_ key: Key) {
            state.withLock { state in
                state.latest = .now
                switch key {
                case .digit(let digit): state.digits.insert(digit)
                case .enter: state.isOver = true
                case .clear, .back, .menu, .character: break
                }
            }
        }

        var isOver: Bool { state.withLock(\.isOver) }
        var latest: ContinuousClock.Instant { state.withLock(\.latest) }
        var missing: [UInt8] { state.withLock { state in (0...9).filter { !state.digits.contains($0) } } }
    }
}
