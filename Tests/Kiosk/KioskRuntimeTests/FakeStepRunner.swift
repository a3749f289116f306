// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import MPinClient
import Patience
import PersonalCards
import Synchronization
@testable import KioskRuntime

/// Scripted steps. They succeed by default, and record their calls.
final class FakeStepRunner: StepRunner {
    private struct State {
        var backend: WebAddress?
        var calls: [String] = []
        var failures: [String: [KioskFailure]] = [:]
        var silent: Set<String> = []
        var ability = SigningAbility.withPIN
        var session = BackendSession(identities: [FakeStepRunner.alice])
        var canLogout = false
    }

    static let alice = KioskIdentity(
        userID: "alice@example.com", backend: "login.example.com", number: 1, progress: .registered)
    static let bob = KioskIdentity(
        userID: "bob@example.com", backend: "login.example.com", number: 2, progress: .registered)
    static let card = SecretBytes(copying: Array("LOGIN-KIOSK-CARD:1:NEW".utf8))
    static let issued = SecretBytes(copying: Array("739164".utf8))
    static let hash: DocumentHash = {
        guard let hash = DocumentHash(String(repeating: "0123456789abcdef", count: 4)) else { fatalError("no hash") }
        return hash
    }()
    static let pin: [UInt8] = Array("2583".utf8)

    private let state = Mutex(State())

    init(session: BackendSession? = nil) {
        if let session { state.withLock { $0.session = session } }
    }

    var calls: [String] { state.withLock { $0.calls } }

    /// Makes every service name this backend; nil for its own address.
    func lead(to backend: WebAddress?) { state.withLock { $0.backend = backend } }

    /// Makes the relying party offer a logout.
    func offerLogout() { state.withLock { $0.canLogout = true } }

    /// Makes the next calls of that name fail.
    func fail(_ name: String, _ reasons: SessionOutcome...) {
        for reason in reasons {
            fail(name, with: KioskFailure(reason, status: "STATUS", passTwoWasSent: reason == .wrongPIN))
        }
    }

    func fail(_ name: String, with failure: KioskFailure) {
        state.withLock { $0.failures[name, default: []].append(failure) }
    }

    /// Answers calls of that name only when they are cancelled, late and wrongly with success.
    func silence(_ name: String, _ isSilent: Bool = true) {
        state.withLock { state in
            if isSilent { state.silent.insert(name) } else { state.silent.remove(name) }
        }
    }

    /// Waits for a call that begins like this.
    func waitForCall(_ prefix: String) async throws {
        try await Patience.until { calls.contains { $0.hasPrefix(prefix) } }
    }

    func run(_ step: KioskStep, in file: SessionFile) async throws(KioskFailure) -> StepAnswer {
        if case .logout(let identity) = step {
            try await called("logout", identity.userID)
            return .loggedOut
        }
        guard let request = file.request else { throw .sessionIsOver }
        switch step {
        case .readService:
            try await called("readService", "\(request.baseURL)")
            let backend = state.withLock { $0.backend } ?? request.baseURL
            let offer = ServiceOffer(
                name: DisplayText("Example"), backendURL: backend, rpsPrefix: "rps", namedBy: request.baseURL.origin)
            file.keep(offer)
            return .serviceFound(offer.name, backend: backend.origin.hostAndPort)
        case .openBackend:
            try await called("openBackend", text(request.accessCode))
            if let card = file.card {
                try await called("takeGuest", card.identity.key.userID)
                let guest = KioskIdentity(
                    userID: card.identity.key.userID, backend: card.identity.key.backend, number: nil,
                    progress: .registered)
                return .backendOpened(BackendSession(identities: [guest]))
            }
            if request.isTyped { try await called("checkTyped", text(request.accessCode)) }
            return .backendOpened(state.withLock { $0.session })
        case .startRegistration(let userID):
            if request.localLogin != nil { _ = try await freshAccessCode(file) }
            try await called("startRegistration", userID)
            return .registrationStarted(newcomer(userID, .startedRegistration))
        case .restartRegistration(let identity):
            try await called("restartRegistration", identity.userID)
            return .registrationStarted(identity)
        case .renewRegistration(let identity):
            try await called("renewRegistration", identity.userID)
            return .registrationStarted(newcomer(identity.userID, .startedRegistration))
        case .confirmRegistration(let identity):
            try await called("confirmRegistration", identity.userID)
            return .registrationConfirmed
        case .finishRegistration(var identity):
            try await called("finishRegistration", text(try file.takePIN()))
            identity.progress = .registered
            return .registrationFinished(identity)
        case .startVerification(let userID):
            try await called("startVerification", userID)
            return .verificationStarted(.codeOrLink)
        case .finishVerification(let userID):
            try await called("finishVerification", "\(userID) \(text(file.typedCode))")
            file.keep(token: SecretBytes(copying: Array("t0ken".utf8)))
            return .verified
        case .startRegistrationWithCode(let userID):
            try await called("startRegistration", "\(userID) \(text(file.typedCode))")
            return .registrationStarted(newcomer(userID, .activated, number: 3))
        case .startAuthentication(let identity, let task):
            try await start(task, identity, file)
            return .authenticationStarted
        case .finishAuthentication(_, let task): return try await finish(task, file)
        case .writeCard(let identity):
            try await called("writeCard", identity.userID)
            file.keep(issued: FakeStepRunner.card)
            return .cardWritten()
        case .deleteIdentity(let identity):
            try await called("deleteForGood", identity.userID)
            return .identityDeleted
        case .readSigner(let identity):
            try await called("readSigner", identity.userID)
            return .signerRead(signer(identity))
        case .startSigningKey:
            try await prove("startSigningKey", file)
            return .signingKeyStarted
        case .finishSigningKey(let identity):
            let pin = try file.takePIN()
            try await called("finishSigningKey", text(pin))
            setAbility(.withOwnPIN)
            return .signingKeyFinished(signer(identity))
        case .prepareDocument(let document):
            try await called(
                "prepareDocument", "\(request.baseURL) \(String(decoding: document.bytes, as: UTF8.self))")
            return .documentPrepared(FakeStepRunner.hash)
        case .sign(_, let hash):
            try await prove("sign \(hash.tail)", file)
            return .signed
        case .logout: throw .sessionIsOver
        }
    }

    private func start(
        _ task: KioskTask, _ identity: KioskIdentity, _ file: SessionFile
    ) async throws(KioskFailure) {
        switch task {
        case .oneTimePassword: try await called("startOneTimePassword", identity.userID)
        case .registrationCode: try await called("startRegistrationCode", identity.userID)
        case .localLogin:
            file.keep(try await freshAccessCode(file))
            try await called("startAuthentication", identity.userID)
        case .login: try await called("startAuthentication", identity.userID)
        default: try await called("startConfirming", identity.userID)
        }
    }

    private func freshAccessCode(_ file: SessionFile) async throws(KioskFailure) -> AccessCode {
        let application = file.request?.localLogin?.application
        try await called("freshAccessCode", application.map { "\($0.address)" } ?? "-")
        guard let code = AccessCode("fresh\(calls.count { $0.hasPrefix("freshAccessCode") })") else {
            throw KioskFailure(.failed, status: "NO_CODE")
        }
        return code
    }

    private func finish(_ task: KioskTask, _ file: SessionFile) async throws(KioskFailure) -> StepAnswer {
        switch task {
        case .oneTimePassword, .registrationCode:
            try await prove(task == .registrationCode ? "finishRegistrationCode" : "finishOneTimePassword", file)
            file.keep(issued: FakeStepRunner.issued)
            return .codeIssued(lifetime: .seconds(45))
        case .localLogin:
            try await prove("finishLocalLogin", file, " \(text(file.ownCode))")
            return .authenticated()
        case .login:
            try await prove("finishAuthentication", file)
            return .authenticated(canLogout: state.withLock { $0.canLogout })
        case .changePIN:
            let new = text(try file.takePIN())
            try await check("changePIN", text(try file.takeOldPIN()), " \(new)")
            return .taskDone
        default:
            try await prove("finishConfirming", file)
            return .taskDone
        }
    }

    private func newcomer(
        _ userID: String, _ progress: KioskIdentity.Progress, number: Int = 1
    ) -> KioskIdentity {
        KioskIdentity(userID: userID, backend: "login.example.com", number: number, progress: progress)
    }

    func setAbility(_ ability: SigningAbility) { state.withLock { $0.ability = ability } }

    private func signer(_ identity: KioskIdentity) -> KioskIdentity {
        var identity = identity
        identity.signing = state.withLock { $0.ability }
        return identity
    }

    func abort(_ session: AbandonedSession) async {
        switch session {
        case .login(let accessCode): try? await called("abort", text(accessCode))
        case .signing(let session): try? await called("abort", text(session.accessCode))
        }
    }
    func forgetShares(of identity: KioskIdentity) async { try? await called("forgetShares", identity.userID) }
    func dismissGuests() async { try? await called("dismissGuests", "-") }
    func forgetTries(of key: IdentityKey) async { try? await called("forgetTries", key.userID) }
    func delete(_ identity: KioskIdentity) async { try? await called("delete", identity.userID) }

    private func prove(_ name: String, _ file: SessionFile, _ more: String = "") async throws(KioskFailure) {
        try await check(name, text(try file.takePIN()), more)
    }

    private func check(_ name: String, _ digits: String, _ more: String) async throws(KioskFailure) {
        try await called(name, digits + more)
        guard Array(digits.utf8) == FakeStepRunner.pin else {
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
