// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import MPinClient
import Synchronization
@testable import KioskRuntime

/// Steps that a test scripts: they succeed unless told otherwise, and remember what they were asked.
final class FakeLoginSteps: LoginSteps {
    private struct State {
        var backend: WebAddress?
        var calls: [String] = []
        var failures: [String: [KioskFailure]] = [:]
        var silent: Set<String> = []
        var ability = SigningAbility.withPIN
        var session = BackendSession(identities: [FakeLoginSteps.alice])
        var canLogout = false
    }

    static let alice = KioskIdentity(
        userID: "alice@example.com", backend: "login.example.com", number: 1, progress: .registered)
    static let bob = KioskIdentity(
        userID: "bob@example.com", backend: "login.example.com", number: 2, progress: .registered)
    static let issued = IssuedCode(digits: SecretBytes(copying: Array("739164".utf8)), lifetime: .seconds(45))
    static let hash: DocumentHash = {
        guard let hash = DocumentHash(String(repeating: "0123456789abcdef", count: 4)) else { fatalError("no hash") }
        return hash
    }()
    static let pin: [UInt8] = Array("2580".utf8)

    private let state = Mutex(State())

    init(session: BackendSession? = nil) {
        if let session { state.withLock { $0.session = session } }
    }

    var calls: [String] { state.withLock { $0.calls } }

    /// Lets every service name this backend; nil is its own address.
    func lead(to backend: WebAddress?) { state.withLock { $0.backend = backend } }

    /// Lets the relying party say how to end its sessions.
    func offerLogout() { state.withLock { $0.canLogout = true } }

    /// Lets the next call of that name fail, and so on.
    func fail(_ name: String, _ reasons: KioskFailure.Reason...) {
        let failures = reasons.map { KioskFailure($0, status: "STATUS", passTwoWasSent: $0 == .wrongPIN) }
        state.withLock { $0.failures[name, default: []] += failures }
    }

    /// Calls of that name are answered only when they are cancelled, and then late and wrongly with success.
    func silence(_ name: String, _ isSilent: Bool = true) {
        state.withLock { state in
            if isSilent { state.silent.insert(name) } else { state.silent.remove(name) }
        }
    }

    /// Returns as soon as a call that begins like this was made.
    func waitForCall(_ prefix: String) async throws {
        while !calls.contains(where: { $0.hasPrefix(prefix) }) {
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    func readService(at baseURL: WebAddress) async throws(KioskFailure) -> ServiceOffer {
        try await called("readService", "\(baseURL)")
        let backend = state.withLock { $0.backend } ?? baseURL
        return ServiceOffer(
            name: DisplayText("Example"), backendURL: backend, rpsPrefix: "rps", namedBy: baseURL.origin)
    }

    func openBackend(
        _ offer: ServiceOffer, accessCode: AccessCode?
    ) async throws(KioskFailure) -> BackendSession {
        try await called("openBackend", text(accessCode))
        return state.withLock { $0.session }
    }

    func checkTyped(_ accessCode: AccessCode) async throws(KioskFailure) {
        try await called("checkTyped", text(accessCode))
    }

    func startRegistration(
        userID: String, accessCode: AccessCode?
    ) async throws(KioskFailure) -> KioskIdentity {
        try await called("startRegistration", userID)
        return KioskIdentity(userID: userID, backend: "login.example.com", number: 1, progress: .startedRegistration)
    }

    func restartRegistration(
        of identity: KioskIdentity, accessCode: AccessCode?
    ) async throws(KioskFailure) -> KioskIdentity {
        try await called("restartRegistration", identity.userID)
        return identity
    }

    func confirmRegistration(of identity: KioskIdentity) async throws(KioskFailure) {
        try await called("confirmRegistration", identity.userID)
    }

    func finishRegistration(
        of identity: KioskIdentity, pin: consuming Pin
    ) async throws(KioskFailure) -> KioskIdentity {
        try await called("finishRegistration", text(pin))
        var identity = identity
        identity.progress = .registered
        return identity
    }

    func startAuthentication(of identity: KioskIdentity, accessCode: AccessCode) async throws(KioskFailure) {
        try await called("startAuthentication", identity.userID)
    }

    func finishAuthentication(
        of identity: KioskIdentity, pin: consuming Pin, accessCode: AccessCode
    ) async throws(KioskFailure) {
        try await login("finishAuthentication", pin)
    }

    func startOneTimePassword(of identity: KioskIdentity) async throws(KioskFailure) {
        try await called("startOneTimePassword", identity.userID)
    }

    func finishOneTimePassword(
        of identity: KioskIdentity, pin: consuming Pin
    ) async throws(KioskFailure) -> IssuedCode {
        try await login("finishOneTimePassword", pin)
        return FakeLoginSteps.issued
    }

    func startQuickCode(of identity: KioskIdentity) async throws(KioskFailure) {
        try await called("startQuickCode", identity.userID)
    }

    func finishQuickCode(of identity: KioskIdentity, pin: consuming Pin) async throws(KioskFailure) -> IssuedCode {
        try await login("finishQuickCode", pin)
        return FakeLoginSteps.issued
    }

    func freshAccessCode(for application: RelyingPartyApplication) async throws(KioskFailure) -> AccessCode {
        try await called("freshAccessCode", "\(application.address)")
        guard let code = AccessCode("fresh\(calls.count { $0.hasPrefix("freshAccessCode") })") else {
            throw KioskFailure(.other, status: "NO_CODE")
        }
        return code
    }

    func finishLocalLogin(
        of identity: KioskIdentity, pin: consuming Pin, accessCode: AccessCode,
        at application: RelyingPartyApplication
    ) async throws(KioskFailure) {
        let digits = text(pin)
        try await called("finishLocalLogin", "\(digits) \(text(accessCode))")
        guard Array(digits.utf8) == FakeLoginSteps.pin else {
            throw KioskFailure(.wrongPIN, status: "INCORRECT_PIN", passTwoWasSent: true)
        }
    }

    func startRegistration(userID: String, code: SecretBytes) async throws(KioskFailure) -> KioskIdentity {
        try await called("startRegistration", "\(userID) \(text(code))")
        return KioskIdentity(userID: userID, backend: "login.example.com", number: 3, progress: .activated)
    }

    func startVerification(userID: String) async throws(KioskFailure) {
        try await called("startVerification", userID)
    }

    func finishVerification(userID: String, code: SecretBytes) async throws(KioskFailure) -> SecretBytes {
        try await called("finishVerification", "\(userID) \(text(code))")
        return SecretBytes(copying: Array("t0ken".utf8))
    }

    func startConfirming(_ identity: KioskIdentity) async throws(KioskFailure) {
        try await called("startConfirming", identity.userID)
    }

    func finishConfirming(_ identity: KioskIdentity, pin: consuming Pin) async throws(KioskFailure) {
        try await login("finishConfirming", pin)
    }

    func deleteForGood(_ identity: KioskIdentity) async throws(KioskFailure) {
        try await called("deleteForGood", identity.userID)
    }

    func canLogout(_ identity: KioskIdentity) async -> Bool { state.withLock { $0.canLogout } }

    func logout(_ identity: KioskIdentity) async throws(KioskFailure) { try await called("logout", identity.userID) }

    func readSigner(_ identity: KioskIdentity) async throws(KioskFailure) -> KioskIdentity {
        try await called("readSigner", identity.userID)
        return signer(identity)
    }

    func startSigningKey(of identity: KioskIdentity, pin: consuming Pin) async throws(KioskFailure) {
        try await login("startSigningKey", pin)
    }

    func finishSigningKey(
        of identity: KioskIdentity, pin: consuming Pin
    ) async throws(KioskFailure) -> KioskIdentity {
        try await called("finishSigningKey", text(pin))
        setAbility(.withOwnPIN(length: pin.length))
        return signer(identity)
    }

    func prepareDocument(_ document: DocumentText, at service: WebAddress) async throws(KioskFailure) -> DocumentHash {
        try await called("prepareDocument", "\(service) \(String(decoding: document.bytes, as: UTF8.self))")
        return FakeLoginSteps.hash
    }

    func sign(
        _ hash: DocumentHash, as identity: KioskIdentity, pin: consuming Pin
    ) async throws(KioskFailure) {
        try await login("sign \(hash.tail)", pin)
    }

    func setAbility(_ ability: SigningAbility) { state.withLock { $0.ability = ability } }

    private func signer(_ identity: KioskIdentity) -> KioskIdentity {
        var identity = identity
        identity.signing = state.withLock { $0.ability }
        return identity
    }

    func abort(_ accessCode: AccessCode) async { try? await called("abort", text(accessCode)) }
    func forgetShares(of identity: KioskIdentity) async { try? await called("forgetShares", identity.userID) }
    func delete(_ identity: KioskIdentity) async { try? await called("delete", identity.userID) }

    private func login(_ name: String, _ pin: borrowing Pin) async throws(KioskFailure) {
        let digits = text(pin)
        try await called(name, digits)
        guard Array(digits.utf8) == FakeLoginSteps.pin else {
            throw KioskFailure(.wrongPIN, status: "INCORRECT_PIN", passTwoWasSent: true)
        }
    }

    private func called(_ name: String, _ argument: String) async throws(KioskFailure) {
        let (failure, isSilent) = state.withLock { state in
            state.calls.append("\(name) \(argument)")
            let failure = state.failures[name]?.isEmpty == false ? state.failures[name]?.removeFirst() : nil
            return (failure, state.silent.contains(name))
        }
        // Ends when the task is cancelled, long before the hour.
        if isSilent { try? await Task.sleep(for: .seconds(3600)) }
        if let failure { throw failure }
    }

    private func text(_ code: AccessCode?) -> String {
        guard let code else { return "-" }
        return code.withCharacters { characters in
            var text = ""
            for index in characters.indices { text.unicodeScalars.append(Unicode.Scalar(characters[index])) }
            return text
        }
    }

    private func text(_ code: SecretBytes) -> String {
        code.withBytes { bytes in
            var text = ""
            for index in bytes.indices { text.unicodeScalars.append(Unicode.Scalar(bytes[index])) }
            return text
        }
    }

    private func text(_ pin: borrowing Pin) -> String {
        pin.withDigits { digits in
            var text = ""
            for index in digits.indices { text.unicodeScalars.append(Unicode.Scalar(digits[index])) }
            return text
        }
    }
}
