// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// The newest view from the parent.
struct ShownView {
    /// A limit is shown when it is this close.
    private static let hurry = Duration.seconds(15)

    let number: UInt32
    let view: DisplayView
    /// The key under a finger.
    var touched: KeyPlace.Key?
    let came: ContinuousClock.Instant
    var wasReported = false

    /// The thousandths of the time that is left, in whole seconds; nil without haste.
    func share(at now: ContinuousClock.Instant) -> Int? {
        guard let countdown = view.countdown, let left = timeLeft(at: now), left <= ShownView.hurry else { return nil }
        let whole = min(countdown, ShownView.hurry)
        let seconds: Double = max(left, .zero) / .seconds(1)
        let all: Double = whole / .seconds(1)
        return all > 0 ? Int(min(seconds.rounded(.up) / all, 1) * 1000) : 0
    }

    /// The time until the picture of the limit changes; nil when it does not.
    func timeToNextPicture(at now: ContinuousClock.Instant) -> Duration? {
        guard let left = timeLeft(at: now), left > .zero else { return nil }
        return left > ShownView.hurry ? left - ShownView.hurry : .seconds(1)
    }

    private func timeLeft(at now: ContinuousClock.Instant) -> Duration? { view.countdown.map { $0 - (now - came) } }
}
