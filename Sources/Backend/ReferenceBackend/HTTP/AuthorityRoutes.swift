// SPDX-License-Identifier: Apache-2.0

import BackendHTTP
import BackendValues
import Encoding
import Hummingbird
import Logging
import MPinCrypto
import MPinServer

/// The routes of a D-TA. In a backend they give what a client needs. In a process of its own they also give the RPS its
/// share of the server secret. Permits in advance have no URL. docs/protocol/milagro.md, section 11.4.
struct AuthorityRoutes: Sendable {
    let authority: any Authority
    let startTime: WallTime
    let clock: any WallClock

    func add(to group: RouterGroup<BasicRequestContext>) {
        group.get("clientSecret") { request, _ in
            let identity = try authority.requests.identity(ofClientSecret: request.queryFields(), now: clock.now)
            let share = try await authority.clientSecretShare(for: identity)
            return Self.reply("clientSecret", share.withBytes { Hexadecimal.text(copy(of: $0)) })
        }
        addTimePermit(to: group, logger: nil)
        addStatus(to: group)
    }

    /// - Parameter logger: logs every share, so that the D-TA's operator sees the number of requests, and requests
    ///   for another day.
    func addAll(to group: RouterGroup<BasicRequestContext>, logger: Logger) {
        group.get("serverSecret") { request, _ in
            try authority.requests.requireServerSecret(request.queryFields(), now: clock.now)
            let share = try await authority.serverSecretShare()
            logger.info("share given", metadata: ["of": "server secret"])
            return Self.reply("serverSecret", share.withBytes { Hexadecimal.text(copy(of: $0)) })
        }
        group.get("clientSecret") { request, _ in
            let now = clock.now
            let identity = try authority.requests.identity(ofClientSecret: request.queryFields(), now: now)
            let share = try await authority.clientSecretShare(for: identity)
            logger.info("share given", metadata: ["of": "client secret", "identity": "\(identity.mark)"])
            // The D-TA does not know the client's generation, so the reply has both names.
            return Response.json(AuthorityShareReply(share: share, created: now).json)
        }
        addTimePermit(to: group, logger: logger)
        addStatus(to: group)
    }

    private static func reply(_ name: String, _ share: String) -> Response {
        Response.json([name: .string(share), "message": "OK"])
    }

    private func addTimePermit(to group: RouterGroup<BasicRequestContext>, logger: Logger?) {
        group.get("timePermit") { request, _ in
            do {
                let (identity, day) = try authority.requests.identity(
                    ofTimePermit: request.queryFields(), now: clock.now)
                let share = try await authority.timePermitShare(for: identity, on: day)
                logger?.info("share given", metadata: ["of": "time permit", "identity": "\(identity.mark)"])
                return Self.reply("timePermit", share.withBytes { Hexadecimal.text(copy(of: $0)) })
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
    /// The identity's name in the RPS's log, in a classic dialect.
    fileprivate var mark: String { Hexadecimal.text(bytes.prefix(8)) }
}
