// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// The signals from now on: some once, then one that lasts.
struct SignalTimeline: Sendable {
    private var view: KioskView?
    private var once: [Signal] = []
    private var lasting: Signal?
    private var begin = Duration.zero
    /// Whether the lasting signal continues, so that its opening is not repeated.
    private var isResumed = false

    /// Adds the signals of the next view.
    mutating func follow(_ next: KioskView, at now: Duration) {
        let (once, lasting) = Signal.signals(from: view, to: next)
        let isNews = view?.stage != next.stage || self.lasting != lasting
        view = next
        guard isNews || !once.isEmpty else { return }
        // The key's signal comes at once. Then the light continues, and the sound of a question is not repeated.
        self.once = once
        self.lasting = lasting
        begin = now
        isResumed = !isNews
    }

    /// The level now, and the time of its next change.
    func level(at now: Duration) -> (level: SignalLevel, changesIn: Duration?) {
        var elapsed = now - begin
        for signal in once {
            let pattern = signal.pattern
            if let (level, length) = pattern.level(after: elapsed) { return (level, length) }
            elapsed -= pattern.length
        }
        guard let lasting else { return ([], nil) }
        let pattern = lasting.pattern
        if isResumed { elapsed += pattern.length }
        return pattern.level(after: elapsed).map { ($0.level, $0.length) } ?? ([], nil)
    }
}
