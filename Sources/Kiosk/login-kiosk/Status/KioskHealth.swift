// SPDX-License-Identifier: Apache-2.0

import DisplayLink
import KioskMachine
import KioskRuntime
import Synchronization

/// The state of a running kiosk that is not a number: whether people can log in, and what is missing.
final class KioskHealth: KioskObserver {
    /// A loop that has not run for this long hangs.
    private static let patience = Duration.seconds(60)

    private struct State {
        var condition: KioskCondition?
        var lastTurn = ContinuousClock.now
        var passedOver: [String] = []
        var speechFault: String?
    }

    /// The kiosk's own panel; nil when none is wanted.
    let display: DisplayProcess?
    private let start = ContinuousClock.now
    private let state = Mutex(State())

    init(display: DisplayProcess?) { self.display = display }

    /// Nil before the first view.
    var condition: KioskCondition? { state.withLock(\.condition) }

    /// Cameras, sizes and formats that were passed over, a sentence each.
    var passedOver: [String] { state.withLock(\.passedOver) }

    /// The reason why nothing is heard of a kiosk that offers speech.
    var speechFault: String? {
        get { state.withLock(\.speechFault) }
        set { state.withLock { $0.speechFault = newValue } }
    }

    var running: Duration { start.duration(to: .now) }

    /// The reason why people cannot log in; nil when they can.
    var ailment: String? {
        let (condition, lastTurn) = state.withLock { ($0.condition, $0.lastTurn) }
        let silence = lastTurn.duration(to: .now)
        if silence > KioskHealth.patience { return "the kiosk hangs, for \(silence.components.seconds) seconds" }
        return switch condition {
        case nil: "starting"
        case .ready, .resting, .serving: nil
        case .some(let condition): "\(condition)"
        }
    }

    var interval: Duration? { .seconds(15) }

    func turned() { state.withLock { $0.lastTurn = .now } }

    func changed(_ condition: KioskCondition) { state.withLock { $0.condition = condition } }

    func passedOver(_ reasons: [String]) { state.withLock { $0.passedOver = reasons } }
}
