// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// A message that lamps and buzzer give.
enum Signal: Sendable, Hashable, CaseIterable {
    /// Waits for a code.
    case ready
    /// A code was read.
    case seen
    /// A key was taken. The same for all of them: it must not tell which.
    case key
    /// The kiosk works, the person waits.
    case working
    /// The person is asked.
    case ask
    case success, failure
    /// The operator is needed.
    case trouble

    /// The signals that are given once when `view` follows `before`, and the signal that lasts from then on.
    static func signals(from before: KioskView?, to view: KioskView) -> (once: [Signal], lasting: Signal) {
        var once: [Signal] = []
        // A quick service is asked about without a word that the kiosk connects.
        if before?.stage == .scan, [.connecting, .consent].contains(view.stage) { once.append(.seen) }
        if let before, before.stage == view.stage, before.entry != view.entry { once.append(.key) }
        return (once, Signal(view.tone))
    }

    init(_ tone: Tone) {
        self =
            switch tone {
            case .ready: .ready
            case .working: .working
            case .ask: .ask
            case .success: .success
            case .failure: .failure
            case .trouble: .trouble
            }
    }
}
