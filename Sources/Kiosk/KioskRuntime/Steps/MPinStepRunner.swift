// SPDX-License-Identifier: Apache-2.0

import Glibc
import KioskMachine
import KioskPorts
import Logging
import LoginValues
import MPinClient
import PersonalCards

/// The steps on the SDK. Those of each task have a file of their own.
struct MPinStepRunner: StepRunner {
    let sdk: MPin
    let logger: Logger
    /// The application of a service that wants documents signed; nil without signing.
    var applications: (@Sendable (_ service: WebAddress) -> RelyingPartyApplication)?
    /// Seals personal cards; nil without a fleet key.
    var cards: FleetCards?
    /// Seconds since 1970-01-01 UTC.
    var now: @Sendable () -> Int64 = { Int64(time(nil)) }
    /// The stage of the current step: the same failure means different things at different stages.
    var stage = KioskFailure.Stage.authenticating
    /// The file of the current step's session; empty for calls without a session.
    private(set) var file = SessionFile()

    func run(_ step: KioskStep, in file: SessionFile) async throws(KioskFailure) -> StepAnswer {
        var steps = self
        (steps.stage, steps.file) = (step.stage, file)
        return try await steps.carryOut(step)
    }

    private func carryOut(_ step: KioskStep) async throws(KioskFailure) -> StepAnswer {
        // Comes after the session, whose file is gone.
        if case .logout(let identity) = step { return try await logOut(identity) }
        guard let request = file.request else { throw .sessionIsOver }
        switch step {
        case .startAuthentication(let identity, _), .readSigner(let identity): await reconsider(identity)
        default: break
        }
        switch step {
        case .readService: return try await readService(request)
        case .openBackend: return try await openBackend(request)
        case .startRegistration(let userID): return try await startRegistration(of: userID, request)
        case .restartRegistration(let identity): return try await restartRegistration(of: identity, request)
        case .renewRegistration(let identity): return try await renewRegistration(of: identity, request)
        case .confirmRegistration(let identity): return try await confirmRegistration(of: identity)
        case .finishRegistration(let identity): return try await finishRegistration(of: identity)
        case .startVerification(let userID): return try await startVerification(of: userID, request)
        case .finishVerification(let userID): return try await finishVerification(of: userID)
        case .startRegistrationWithCode(let userID): return try await startRegistration(withCodeOf: userID)
        case .startAuthentication(let identity, let task):
            return try await startAuthentication(of: identity, for: task, request)
        case .finishAuthentication(let identity, let task):
            return try await finishAuthentication(of: identity, for: task, request)
        case .deleteIdentity(let identity): return try await deleteForGood(identity)
        case .readSigner(let identity): return try await readSigner(identity)
        case .startSigningKey(let identity): return try await startSigningKey(of: identity)
        case .finishSigningKey(let identity): return try await finishSigningKey(of: identity)
        case .prepareDocument(let document): return try await prepare(document, request)
        case .writeCard(let identity): return try await writeCard(of: identity)
        case .sign(let identity, let hash): return try await sign(hash, as: identity)
        case .logout: throw .sessionIsOver
        }
    }

    // Connecting.

    private func readService(_ request: SessionRequest) async throws(KioskFailure) -> StepAnswer {
        let details = try await call("service") { () throws(MPinError) in
            try await sdk.serviceDetails(at: request.baseURL)
        }
        let offer = ServiceOffer(
            name: DisplayText(details.name), backendURL: details.backendURL, rpsPrefix: details.rpsPrefix,
            namedBy: details.namedBy)
        file.keep(offer)
        return .serviceFound(offer.name, backend: offer.backendURL.origin.hostAndPort)
    }

    private func openBackend(_ request: SessionRequest) async throws(KioskFailure) -> StepAnswer {
        guard let offer = file.offer else { throw .sessionIsOver }
        // The dialect of an identity shows the generation of its backend.
        try await takeGuest()
        try await call("backend") { () throws(MPinError) in
            try await sdk.setBackend(offer.backendURL, rpsPrefix: offer.rpsPrefix, namedBy: offer.namedBy)
        }
        try await requireGuestsBackend()
        let backend = try await call("session") { () throws(MPinError) in try await session(request.accessCode) }
        if request.isTyped, let accessCode = request.accessCode { try await check(typed: accessCode) }
        return .backendOpened(backend)
    }

    /// The session of an access code, with the known identities; without a code only these.
    private func session(_ accessCode: AccessCode?) async throws(MPinError) -> BackendSession {
        var details = SessionDetails()
        var session: SigningSession?
        if let accessCode { (details, session) = try await scanned(accessCode) }
        let signing = try session.map { session throws(MPinError) in try SigningRequest(session) }
        if let session { file.keep(.session(session)) }
        let isElsewhere = details.browserLocation == .other
        if isElsewhere { file.noteBrowserElsewhere() }
        // The user and the proof come from one reply.
        let signer = session.flatMap { $0.userID.isEmpty ? nil : $0 }
        return BackendSession(
            application: DisplayText(details.appName), customer: DisplayText(details.customerName),
            task: DisplayText(session == nil ? details.description : ""),
            namedUser: signer?.userID ?? details.prerollID,
            isUserVerified: (signer?.details ?? details).isUserVerified, signing: signing,
            isBrowserElsewhere: isElsewhere,
            obstacle: details.isCodeExpired
                ? .codeExpired : isElsewhere && details.isBrowserRefused ? .browserElsewhere : nil,
            verifiesAddresses: try await sdk.dialectOfBackend().verifiesAddresses,
            identities: try await knownIdentities())
    }

    /// Checks an access code that was typed by hand, as far as possible, before a PIN is given for it. Only a number
    /// has a check digit; the code of a QR picture, copied by hand, has none.
    private func check(typed accessCode: AccessCode) async throws(KioskFailure) {
        let isNumber = accessCode.withCharacters { characters in
            characters.indices.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(characters[$0]) }
        }
        guard isNumber else { return }
        try await call("access number") { () throws(MPinError) in try await sdk.checkAccessNumber(accessCode) }
    }

    // Jobs that nobody waits for.

    func abort(_ session: AbandonedSession) async {
        try? await call("abort") { () throws(MPinError) in
            switch session {
            case .login(let accessCode): try await sdk.abortSession(accessCode)
            case .signing(let session): try await sdk.abortSigningSession(session)
            }
        }
    }

    func forgetShares(of identity: KioskIdentity) async {
        if let user = try? await sdk.user(identity.key) { await sdk.forgetShares(of: user) }
    }

    func delete(_ identity: KioskIdentity) async { _ = try? await deleteForGood(identity) }

    // Common parts of the steps of all tasks.

    func user(_ identity: KioskIdentity) async throws(MPinError) -> User {
        guard let user = try await sdk.user(identity.key) else {
            throw MPinError(.misuse, detail: "the identity is not here any more; scan again")
        }
        return user
    }

    func call<Result>(
        _ what: String, _ body: () async throws(MPinError) -> Result
    ) async throws(KioskFailure) -> Result {
        do throws(MPinError) { return try await body() } catch { throw failure(error, of: what) }
    }

    /// As `call`, for starting with an identity that was just registered: a misuse then means that the backend does
    /// not offer the task.
    func startTask<Result>(
        _ what: String, _ body: () async throws(MPinError) -> Result
    ) async throws(KioskFailure) -> Result {
        do throws(MPinError) { return try await body() } catch {
            let failure = failure(error, of: what)
            throw error.kind == .misuse ? KioskFailure(.notOffered, status: failure.status) : failure
        }
    }

    /// As `call`, with the typed PIN.
    func prove<Result>(
        _ what: String, of identity: KioskIdentity,
        _ body: (User, consuming Pin) async throws(MPinError) -> Result
    ) async throws(KioskFailure) -> Result {
        let pin = try file.takePIN()
        do throws(MPinError) { return try await body(try await user(identity), pin) } catch {
            throw failure(error, of: what)
        }
    }

    func failure(_ error: MPinError, of what: String) -> KioskFailure {
        logger.notice("\(what) failed", metadata: ["status": "\(error.status.name)", "detail": "\(error.detail)"])
        return KioskFailure(error, at: stage)
    }
}
