// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// A message by lamps and buzzer.
enum Signal: Sendable, Hashable, CaseIterable {
    /// The kiosk waits for a code.
    case ready
    /// A code was read.
    case seen
    /// A key was pressed. The same for all keys: it must not reveal the key.
    case key
    /// The kiosk works while the person waits.
    case working
    /// The kiosk asks the person.
    case ask
    case success, failure
    /// The operator is needed.
    case trouble

    /// The signals at the change from `before` to `view`: those that are given once, and the lasting one.
    static func signals(from before: KioskView?, to view: KioskView) -> (once: [Signal], lasting: Signal) {
        var once: [Signal] = []
        // A fast service leads to consent without a view of connecting.
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
