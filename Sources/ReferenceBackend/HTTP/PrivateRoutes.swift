// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import MPinCrypto

/// What relying party and RPS of a classic dialect ask each other on the private listener. Milagro protocol, sections 11.2
/// and 11.3.
struct PrivateRoutes: Sendable {
    let rps: RPS
    let relyingParty: RelyingParty

    func add(to router: RouterGroup<BasicRequestContext>) {
        let (rps, relyingParty) = (rps, relyingParty)
        // By the relying party.
        RPSRoutes(rps: rps, policy: nil).add(to: router)
        router.post("user/{mpinID}") { request, context in
            try await rps.activate(try context.mpinID(or: .invalidData), try await request.jsonObject())
            return Response(status: .ok)
        }
        router.post("authenticate") { request, _ in
            let body = try await request.jsonObject()
            do {
                return Response.json(try await rps.authenticateForRelyingParty(body))
            } catch let refusal as Refusal {
                return Response.json(
                    [
                        "status": .integer(Int64(refusal.code)), "message": .string(refusal.message), "userId": "",
                        "mpinId": "",
                    ], status: refusal.status, headers: refusal.headers)
            }
        }
        router.post("loginResult") { request, _ in
            try await rps.finish(try await request.jsonObject())
            return Response(status: .ok)
        }
        // By the RPS.
        router.post("mpinVerify") { request, _ in
            try await relyingParty.verifyRegistration(try await request.jsonObject())
            return Response.json(["forceActivate": false])
        }
        router.get("mpinPermitUser") { request, _ in
            guard let bytes = try request.queryFields()["mpin_id"].flatMap({ Hexadecimal.bytes($0) }) else {
                throw Refusal.invalidData
            }
            try await relyingParty.permit(MPinID(bytes))
            return Response(status: .ok)
        }
    }
}
