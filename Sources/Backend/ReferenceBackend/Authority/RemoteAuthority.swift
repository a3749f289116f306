// SPDX-License-Identifier: Apache-2.0

import BackendValues
import Encoding
import Logging
import MPinCrypto
import MPinServer
import Synchronization

/// A D-TA in another process, usually on another machine. The backend checks its answers: its share of the server
/// secret against the known half, all other shares against that share.
final class RemoteAuthority: Authority {
    let requests: ShareRequest
    let url: String?

    private let number: Int
    private let connection: AuthorityConnection
    private let mark: IssuerMark
    private let clock: any WallClock
    private let observer: (any BackendObserver)?
    private let logger: Logger
    private let hasOtherHalf = Mutex(false)
    private let serverShare = Mutex<ServerSecretShare?>(nil)
    private let permits = TimePermitShares()

    /// - Parameters:
    ///   - number: 1 or 2, for the log.
    ///   - url: the address that devices ask; nil if they do not.
    ///   - observer: learns for every request whether it was answered.
    init(
        number: Int, url: String?, credentials: AppCredentials, connection: AuthorityConnection, mark: IssuerMark,
        clock: any WallClock, observer: (any BackendObserver)?, logger: Logger
    ) {
        self.number = number
        self.url = url
        requests = ShareRequest(credentials: credentials)
        self.connection = connection
        self.mark = mark
        self.clock = clock
        self.observer = observer
        self.logger = logger
    }

    func serverSecretShare() async throws -> ServerSecretShare {
        try await telling { () async throws(AuthorityFault) in try await self.knownServerShare() }
    }

    func clientSecretShare(for identity: HashedIdentity) async throws -> ClientSecretShare {
        try await telling { () async throws(AuthorityFault) in
            let issuer = try await self.knownServerShare()
            let share = try await self.ask(
                "clientSecret", self.requests.clientSecretQuery(for: identity, now: self.clock.now)
            ) { bytes throws(MPinCryptoError) in try ClientSecretShare(bytes: bytes) }
            guard await Self.beside({ issuer.isOfSameIssuer(as: share, for: identity) }) else { throw .otherShare }
            return share
        }
    }

    func timePermitShare(for identity: HashedIdentity, on day: EpochDay) async throws -> TimePermitShare {
        if let known = permits.share(for: identity, on: day, now: clock.now) { return known }
        return try await telling { () async throws(AuthorityFault) in
            let issuer = try await self.knownServerShare()
            let share = try await self.ask("timePermit", self.requests.timePermitQuery(for: identity, on: day)) {
                bytes throws(MPinCryptoError) in try TimePermitShare(bytes: bytes)
            }
            guard await Self.beside({ issuer.isOfSameIssuer(as: share, for: identity, on: day) }) else {
                throw .otherShare
            }
            self.permits.keep(share, for: identity, on: day, now: self.clock.now)
            return share
        }
    }

    /// A D-TA with other credentials or another half would make a device lose its registration.
    func requireAnswer() async throws {
        try await telling { () async throws(AuthorityFault) in _ = try await self.presentServerShare() }
    }

    func requireSameHalf() throws {
        if hasOtherHalf.withLock({ $0 }) { throw Refusal.authorityFailed }
    }

    private func knownServerShare() async throws(AuthorityFault) -> ServerSecretShare {
        if let known = serverShare.withLock({ $0 }) { return known }
        return try await presentServerShare()
    }

    /// The share of the server secret as the D-TA gives it now.
    private func presentServerShare() async throws(AuthorityFault) -> ServerSecretShare {
        let share = try await ask("serverSecret", requests.serverSecretQuery(now: clock.now)) {
            bytes throws(MPinCryptoError) in try ServerSecretShare(bytes: bytes)
        }
        if let known = serverShare.withLock({ $0 }) {
            hasOtherHalf.withLock { $0 = share != known }
            guard share == known else { throw .otherHalf(mark: mark.path) }
        } else {
            try mark.require(share)
            serverShare.withLock { $0 = share }
        }
        return share
    }

    /// - Parameter name: the name of the path and of the reply's field.
    private func ask<Share>(
        _ name: String, _ query: String, _ decode: ([UInt8]) throws(MPinCryptoError) -> Share
    ) async throws(AuthorityFault) -> Share {
        var body = try await connection.get("/" + name + "?" + query)
        defer { wipe(&body) }
        return try Self.share(name, in: body, decode)
    }

    /// The share in a reply.
    static func share<Share>(
        _ name: String, in body: [UInt8], _ decode: ([UInt8]) throws(MPinCryptoError) -> Share
    ) throws(AuthorityFault) -> Share {
        guard var bytes = JSONObject(body: body)?.string(name).flatMap({ Hexadecimal.bytes($0) }) else {
            throw .malformed(field: name)
        }
        defer { wipe(&bytes) }
        do throws(MPinCryptoError) { return try decode(bytes) } catch {
            if case .wrongLength(_, let expected, let actual) = error {
                throw .wrongLength(expected: expected, actual: actual)
            }
            throw .noPoint
        }
    }

    /// Runs a pairing on a thread that serves no connections.
    private static func beside(_ check: @escaping @Sendable () -> Bool) async -> Bool {
        await withTaskExecutorPreference(globalConcurrentExecutor) { await run(check) }
    }

    private static func run(_ check: @Sendable () -> Bool) async -> Bool { check() }

    /// Logs a fault, and throws a refusal that asks the caller to try again.
    private func telling<Share: Sendable>(
        _ body: () async throws(AuthorityFault) -> Share
    ) async throws -> Share {
        do throws(AuthorityFault) {
            let share = try await body()
            observer?.asked(authority: number, answers: true)
            return share
        } catch {
            observer?.asked(authority: number, answers: false)
            log(error)
            throw Refusal.authorityFailed
        }
    }

    func log(_ fault: AuthorityFault) {
        logger.error(
            "a D-TA gave no share",
            metadata: ["dta": "\(number)", "kind": "\(fault.kind)", "reason": "\(fault.explanation)"])
    }
}
