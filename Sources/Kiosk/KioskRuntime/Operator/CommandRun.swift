// SPDX-License-Identifier: Apache-2.0

public import KioskMachine
import KioskPorts
public import LoginValues
public import MPinClient

/// A command for one user: a script of the kiosk's steps, without its screens.
public struct CommandRun: Sendable {
    let client: OperatorClient
    let steps: any StepRunner
    let file = SessionFile()

    /// - Parameter applications: the server at an address that wants documents signed.
    public init(
        _ client: OperatorClient, applications: (@Sendable (_ service: WebAddress) -> RelyingPartyApplication)? = nil
    ) {
        self.init(client, MPinStepRunner(sdk: client.sdk, logger: client.logger, applications: applications))
    }

    init(_ client: OperatorClient, _ steps: some StepRunner) {
        self.client = client
        self.steps = steps
    }

    @discardableResult func take(_ step: KioskStep) async throws(KioskFailure) -> StepAnswer {
        try await steps.run(step, in: file)
    }

    /// Asks for the PIN of the next step; nil declines.
    func keep(_ askPIN: () async -> Pin?) async throws(KioskFailure) {
        guard let pin = await askPIN() else { throw KioskFailure(.declined) }
        file.keep(pin)
    }

    /// Asks for the new PIN of the next step. Without one the shares are forgotten.
    func keep(
        _ choice: NewPINChoice, length: Int?, of identity: KioskIdentity
    ) async throws(KioskFailure) {
        let pin: Pin
        do throws(KioskFailure) { pin = try await choice.choose(length: length) } catch {
            await steps.forgetShares(of: identity)
            throw error
        }
        file.keep(pin)
    }

    // Opening a backend.

    /// Makes a backend the current one.
    ///
    /// - Parameters:
    ///   - url: the address of its client settings or of its project's configuration.
    ///   - rpsPrefix: nil takes the prefix that the service names, else the usual one.
    ///   - application: the server for whose session somebody registers.
    public func open(
        _ url: WebAddress, rpsPrefix: String?, application: RelyingPartyApplication? = nil
    ) async throws(KioskFailure) {
        _ = try await session(at: url, rpsPrefix: rpsPrefix)
        guard let application else { return }
        let code = try await client.call("application's session", .connecting) { () throws(MPinError) in
            try await client.sdk.accessCode(fromAuthorizationURL: try await application.authorizationURL())
        }
        file.open(SessionRequest(at: url, accessCode: code))
    }

    private func session(at url: WebAddress, rpsPrefix: String?) async throws(KioskFailure) -> BackendSession {
        try client.trust.require(url.origin)
        file.open(SessionRequest(at: url))
        var prefix = rpsPrefix
        var absence: KioskFailure?
        if rpsPrefix == nil {
            // The backend may be there although no service answers.
            do throws(KioskFailure) {
                try await take(.readService)
                if let offer = file.offer, offer.backendURL.base == url.base { prefix = offer.rpsPrefix }
            } catch {
                guard error.outcome != .versionRefused, error.outcome != .appRefused else { throw error }
                absence = error
            }
        }
        file.keep(ServiceOffer(name: DisplayText(""), backendURL: url, rpsPrefix: prefix ?? "rps", namedBy: nil))
        do throws(KioskFailure) { return try await session() } catch {
            // As in a login, the service's failure is reported, because it came first.
            guard let absence,
                absence.outcome == .invalidConfiguration
                    || absence.outcome == .serviceUnavailable && absence.status == Status.httpServerError.name
            else { throw error }
            throw absence
        }
    }

    private func session() async throws(KioskFailure) -> BackendSession {
        guard case .backendOpened(let session) = try await take(.openBackend) else { throw KioskFailure(.failed) }
        return session
    }

    /// Opens the backend of a registered user's identity.
    ///
    /// - Parameters:
    ///   - backend: its URL, or as ``OperatorClient/identities()`` names it; nil takes the identity's, with the scheme
    ///     of its registration.
    ///   - rpsPrefix: as for a backend that is named by its URL.
    public func open(
        _ userID: String, at backend: String?, rpsPrefix: String?
    ) async throws(KioskFailure) -> User {
        let user = try await client.identity(of: userID, at: backend)
        try await open(user, at: backend, rpsPrefix: rpsPrefix)
        return user
    }

    func open(_ user: User, at backend: String?, rpsPrefix: String?) async throws(KioskFailure) {
        try user.requireRegistered()
        let candidates = [backend ?? "", "\(user.isOverHTTP ? "http" : "https")://\(user.backend)"]
        let urls = candidates.compactMap { try? WebAddress($0) }
        guard let url = urls.first(where: { client.trust.allows($0.origin) }) else {
            if let first = urls.first { try client.trust.require(first.origin) }
            throw KioskFailure(.untrusted)
        }
        let session = try await session(at: url, rpsPrefix: rpsPrefix)
        // The address now belongs to another project than the identity's.
        guard session.identities.contains(where: { $0.key == user.key }) else {
            throw KioskFailure(.invalidConfiguration)
        }
    }

    /// Opens the backend of a QR code, and its session.
    func session(of symbol: SecretBytes) async throws(KioskFailure) -> BackendSession {
        try await session(of: try request(symbol))
    }

    /// Opens the backend of a login page's QR code, to register for the page. Its session may be over: a mail takes
    /// its time.
    public func open(_ symbol: SecretBytes) async throws(KioskFailure) {
        let request = try request(symbol)
        _ = try await session(of: SessionRequest(at: request.baseURL))
        file.open(request)
    }

    private func session(of request: SessionRequest) async throws(KioskFailure) -> BackendSession {
        file.open(request)
        try await take(.readService)
        return try await session()
    }

    private func request(_ symbol: SecretBytes) throws(KioskFailure) -> SessionRequest {
        guard let request = try? symbol.withBytes({ try LoginRequest(symbol: $0) }) else {
            throw KioskFailure(.invalidCode)
        }
        try client.trust.require(request.baseURL.origin)
        return SessionRequest(request, isTyped: false)
    }

    /// The host at which a PIN takes effect, and the code's service if it is another.
    var place: String {
        guard let domain = file.offer?.backendURL.origin.hostAndPort, let service = file.request?.domain else {
            return ""
        }
        return "domain \(domain)" + (service == domain ? "" : ", on behalf of \(service)")
    }
}

extension Array {
    /// The identity of that name; case matters only between names that differ in nothing else.
    func identity(of userID: String, by name: (Element) -> String) throws(KioskFailure) -> Element {
        let candidates = filter { name($0).isSameUserID(as: userID) }
        guard let identity = candidates.first(where: { name($0) == userID }) ?? candidates.first else {
            throw KioskFailure(.unknownUser)
        }
        return identity
    }
}

extension User {
    /// - Throws: when the identity's state forbids a login.
    func requireRegistered() throws(KioskFailure) {
        switch state {
        case .registered: break
        case .blocked: throw KioskFailure(.blocked)
        case .startedVerification, .startedRegistration, .activated: throw KioskFailure(.unfinished)
        case .invalid: throw KioskFailure(.unknownUser)
        }
    }
}

extension TrustPolicy {
    /// Refuses an origin, named by a person or a code, that the trust list does not allow.
    func require(_ origin: Origin) throws(KioskFailure) {
        switch check(origin) {
        case .allowed: break
        case .refused(.loopbackHTTP): throw KioskFailure(.loopbackHTTP)
        case .refused: throw KioskFailure(.untrusted)
        }
    }
}
