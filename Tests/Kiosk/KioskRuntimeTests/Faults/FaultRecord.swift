// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import KioskRuntime
import Synchronization

/// Everything that a run under faults leaves behind, and the rules that it must obey.
struct FaultRecord: Sendable {
    /// The access code of each session; `0`, as in a proof without a browser's session, for a task from the menu.
    var opened: [SessionNumber: String] = [:]
    var closed: [SessionNumber: [SessionOutcome]] = [:]
    var ended: [SessionNumber: [SessionOutcome]] = [:]
    /// Complete PINs that a person submitted.
    var typedPINs = 0
    /// Different proofs that left the kiosk.
    var proofs = 0
    /// Broken rules that were seen on the way.
    var broken: [String] = []

    /// The broken rules.
    var findings: [String] {
        var found = broken
        if proofs > typedPINs { found.append("\(proofs) proofs for \(typedPINs) PINs") }
        for number in Set(opened.keys).union(closed.keys).union(ended.keys).sorted() {
            let outcomes = closed[number] ?? []
            if opened[number] == nil || outcomes.count != 1 || outcomes != ended[number] {
                found.append("session \(number) has the outcomes \(outcomes), recorded \(ended[number] ?? [])")
            }
        }
        return found
    }

    /// Checks that no secret is in anything that was shown, logged or recorded.
    mutating func search(_ texts: [String], for secrets: some Sequence<String>) {
        for secret in secrets where texts.contains(where: { $0.contains(secret) }) {
            broken.append("a secret of \(secret.count) characters was printed")
        }
    }
}

/// Records the sessions of a kiosk by its events and its audit entries.
final class FaultObserver: KioskObserver {
    private struct State {
        var record = FaultRecord()
        /// The code that the camera sees.
        var code = ""
        var texts: [String] = []
        var last: SessionOutcome?
    }

    private let server: HonestServer
    private let state = Mutex(State())

    init(_ server: HonestServer) { self.server = server }

    var record: FaultRecord { state.withLock { $0.record } }
    /// Everything that was recorded, as text.
    var texts: [String] { state.withLock { $0.texts } }
    /// The outcome of the last session.
    var lastOutcome: SessionOutcome? { state.withLock { $0.last } }
    /// Number of sessions that are over.
    var count: Int { state.withLock { $0.record.closed.count } }

    func see(_ code: String) { state.withLock { $0.code = code } }

    func change(_ body: (inout FaultRecord) -> Void) { state.withLock { body(&$0.record) } }

    func changed(_ condition: KioskCondition) {}

    func happened(_ event: KioskEvent) {
        let accepted = server.change { $0.accepted }
        state.withLock { state in
            state.texts.append("\(event)")
            switch event {
            case .sessionOpened(let number, _): state.record.opened[number] = state.code
            case .taskBegun(let number, _, _): state.record.opened[number] = "0"
            case .sessionClosed(let number, let outcome):
                state.record.closed[number, default: []].append(outcome)
                state.last = outcome
                let code = state.record.opened[number] ?? ""
                if [.loggedIn, .pinChanged].contains(outcome), !accepted.contains(code) {
                    state.record.broken.append("session \(number) ends as \(outcome) without the server's word")
                }
            default: break
            }
        }
    }

    func ended(_ session: EndedSession) {
        state.withLock { state in
            state.texts.append("\(session)")
            state.record.ended[session.number, default: []].append(session.outcome)
        }
    }
}
