// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import Logging
import MPinCrypto

/// The answers of a D-TA. Inside of a backend it gives what a client needs. Apart from the backend it also gives the
/// RPS the share of the server secret. Permits in advance have no URL. Milagro protocol, section 11.4.
struct AuthorityRoutes: Sendable {
    let authority: any Authority
    let startTime: WallTime
    let clock: any WallClock

    func add(to group: RouterGroup<BasicRequestContext>) {
        let (authority, clock) = (authority, clock)
        group.get("clientSecret") { request, _ in
            let identity = try authority.requests.identity(ofClientSecret: request.queryFields(), now: clock.now)
            let share = try await authority.clientSecretShare(for: identity)
            return Response.json([
                "clientSecret": .string(share.withBytes { Hexadecimal.text(copy(of: $0)) }), "message": "OK",
            ])
        }
        addTimePermit(to: group, logger: nil)
        addStatus(to: group)
    }

    /// - Parameter logger: hears of every share, so that a D-TA's operator sees how many are asked for, and of requests
    ///   for another day.
    func addAll(to group: RouterGroup<BasicRequestContext>, logger: Logger) {
        let (authority, clock) = (authority, clock)
        group.get("serverSecret") { request, _ in
            try authority.requests.requireServerSecret(request.queryFields(), now: clock.now)
            let share = try await authority.serverSecretShare()
            logger.info("share given", metadata: ["of": "server secret"])
            return Response.json([
                "serverSecret": .string(share.withBytes { Hexadecimal.text(copy(of: $0)) }), "message": "OK",
            ])
        }
        group.get("clientSecret") { request, _ in
            let now = clock.now
            let identity = try authority.requests.identity(ofClientSecret: request.queryFields(), now: now)
            let share = try await authority.clientSecretShare(for: identity)
            logger.info("share given", metadata: ["of": "client secret", "identity": "\(identity.mark)"])
            // It does not know the client's generation, and each reads the name that it knows.
            return Response.json(AuthorityShareReply(share: share, created: now).json)
        }
        addTimePermit(to: group, logger: logger)
        addStatus(to: group)
    }

    private func addTimePermit(to group: RouterGroup<BasicRequestContext>, logger: Logger?) {
        let (authority, clock) = (authority, clock)
        group.get("timePermit") { request, _ in
            do {
                let (identity, day) = try authority.requests.identity(
                    ofTimePermit: request.queryFields(), now: clock.now)
                let share = try await authority.timePermitShare(for: identity, on: day)
                logger?.info("share given", metadata: ["of": "time permit", "identity": "\(identity.mark)"])
                return Response.json([
                    "timePermit": .string(share.withBytes { Hexadecimal.text(copy(of: $0)) }), "message": "OK",
                ])
            } catch let other as OtherDay {
                logger?.warning("time permit refused", metadata: ["reason": "\(other.refusal.message)"])
                throw other.refusal
            }
        }
    }

    private func addStatus(to group: RouterGroup<BasicRequestContext>) {
        let startTime = startTime.zonedText
        group.get("status") { _, _ in
            Response.json([
                "service_name": "D-TA server", "message": "OK", "startTime": .array([.string(startTime)]),
            ])
        }
    }
}

extension HashedIdentity {
    /// As an identity of a classic dialect is called in the log of the RPS.
    fileprivate var mark: String { Hexadecimal.text(bytes.prefix(8)) }
}
