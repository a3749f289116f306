// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import ScannerLink

/// The kiosk's machine, fed with a scanner's reports, with servers that accept everything.
struct LoginUnderWay: ~Copyable {
    private(set) var machine = KioskMachine(trustsAnything: true)
    private let link: ScannerProcess
    private let session = SessionNumber(1)
    private let alice = KioskIdentity(
        userID: "alice@example.com", backend: "rps.example.com", number: 1, progress: .registered)

    init(_ link: ScannerProcess) { self.link = link }

    /// Passes a report to the machine.
    ///
    /// - Returns: the machine's actions.
    mutating func hear(_ report: SymbolSourceReport) -> [KioskAction] {
        switch report {
        case .symbol(let symbol):
            return machine.symbolSeen(
                CodeReading(digest: CodeDigest(symbol.payload), verdict: .login(domain: "login.example.com")))
        case .hint(let advice): machine.hintChanged(advice.hint)
        case .available: machine.cameraChanged(trouble: nil)
        case .unavailable: machine.cameraChanged(trouble: .missing)
        case .statistics, .looking, .skipped, .passedOver: break
        }
        return []
    }

    /// Goes from the code to the moment when the servers judge the PIN.
    ///
    /// - Returns: whether that was reached.
    mutating func consentAndTypePIN() async -> Bool {
        var actions = machine.stepEnded(.success(.serviceFound(DisplayText("Example"))), session: session)
        actions += machine.stepEnded(.success(.backendOpened(BackendSession(identities: [alice]))), session: session)
        actions += machine.keyPressed(.enter)
        actions += machine.stepEnded(.success(.authenticationStarted), session: session)
        for _ in 0..<4 { actions += machine.keyPressed(.pinDigit) }
        actions += machine.keyPressed(.enter)
        if actions.contains(.pauseCamera) { await link.pause() }
        return actions.contains(.perform(.finishAuthentication(alice), session))
    }

    /// The servers have accepted, and the person has seen it.
    mutating func succeed() async {
        var actions = machine.stepEnded(.success(.authenticated()), session: session)
        actions += machine.keyPressed(.enter)
        if actions.contains(.resumeCamera) { await link.resume() }
    }
}
