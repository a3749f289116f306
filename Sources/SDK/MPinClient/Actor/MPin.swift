// SPDX-License-Identifier: Apache-2.0

public import Logging
public import LoginValues
import MPinCrypto

/// The SDK: one client with its identities, talking to one backend at a time.
///
/// Every call throws ``MPinError`` and nothing else. Two calls on the same identity do not run at the same time: the
/// second one is refused with ``MPinError/Kind/misuse`` and makes no request. Calls on different identities, and
/// session calls, may overlap. Cancelling the calling task ends the request under way with ``MPinError/Kind/network``;
/// changes by earlier replies stay.
///
/// `docs/client.md` has the states and a picture of a flow.
public actor MPin {
    let transport: any HTTPTransport
    let storage: any IdentityStorage
    /// The policy of the initializer or of ``replaceTrust(_:)``; ``clearTrustedDomains()`` returns to it.
    var initialTrust: TrustPolicy?
    var trust: TrustPolicy?
    /// Domains that ``addTrustedDomain(_:)`` added.
    var trustedDomains: [TrustEntry] = []
    /// The configuration of the initializer; ``destroy()`` returns to it.
    let initialConfiguration: Configuration
    var configuration: Configuration
    let logger: Logger
    /// Time since this client was made.
    let uptime: @Sendable () -> Duration
    /// Seconds since 1970-01-01 UTC by the device's clock.
    let wallClock: @Sendable () -> Int64
    let sleep: @Sendable (Duration) async throws -> Void

    var isInitialized = false
    /// Counts calls of ``destroy()``, so that work begun before one does not end after it.
    var lifetime = 0
    var backend: BackendSession?
    /// The projects found so far, by address.
    var projects: [WebAddress: TrustProject] = [:]
    /// Counts attempts to set the backend, so that a later one wins even if an older one ends after it.
    var backendAttempts = 0
    var identities = IdentityList()
    /// Guests: identities that are in memory for a while and never stored here.
    var guests: [IdentityKey: Guest] = [:]
    var work = IdentitiesInWork()

    /// - Parameters:
    ///   - transport: the way to the network.
    ///   - storage: the store of identities; no other client writes to it while this one lives.
    ///   - trust: checks every request's host, also if a QR code or a reply names it. Nil checks nothing: for a bare
    ///     SDK only; a kiosk always has a policy.
    ///   - configuration: the client's description of itself.
    ///   - clock: measures how long requests take, for the log, and the waits that busy servers ask for.
    ///   - wallClock: seconds since 1970-01-01 UTC: the time of signatures for which the relying party gives none, the
    ///     end of blocked identities, and the date of replies without one. Nil is the system's clock.
    ///   - logger: receives hosts, requests and status codes, at no level a secret.
    public init(
        transport: any HTTPTransport, storage: any IdentityStorage, trust: TrustPolicy?, configuration: Configuration,
        clock: some Clock<Duration> = ContinuousClock(), wallClock: (@Sendable () -> Int64)? = nil, logger: Logger
    ) {
        self.transport = transport
        self.storage = storage
        initialTrust = trust
        self.trust = trust
        initialConfiguration = configuration
        self.configuration = configuration
        self.logger = logger
        let start = clock.now
        uptime = { start.duration(to: clock.now) }
        self.wallClock = wallClock ?? WallClock.seconds
        sleep = { try await clock.sleep(for: $0) }
    }

    func requireInitialized(_ call: StaticString) throws(MPinError) {
        guard isInitialized else {
            throw MPinError(.misuse, detail: "\(call): the client is not initialized; call initialize first")
        }
    }

    func requireBackend(_ call: StaticString) throws(MPinError) -> BackendSession {
        try requireInitialized(call)
        guard let backend else {
            throw MPinError(.misuse, detail: "\(call): no backend is set; call setBackend first")
        }
        return backend
    }
}
