// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import MPinCrypto

/// What relying party and RPS of a classic dialect ask each other, for those that are in another process. Milagro
/// protocol, sections 11.2 and 11.3.
struct PrivateRoutes: Sendable {
    let rps: RPS
    let relyingParty: any RelyingPartyService

    func add(to router: RouterGroup<BasicRequestContext>) {
        let (rps, relyingParty) = (rps, relyingParty)
        // By the relying party.
        RPSRoutes(rps: rps, policy: nil).add(to: router)
        router.post("user/{mpinID}") { request, context in
            let mpinID = try context.mpinID(or: .invalidData)
            try await rps.activate(mpinID, key: try ActivationRequest(await request.jsonObject()).key)
            return Response(status: .ok)
        }
        router.post("authenticate") { request, _ in
            let body = try await request.jsonObject()
            do {
                return Response.json(try await rps.verdict(try VerdictRequest(body)).json)
            } catch let refusal as Refusal {
                return Response.json(
                    VerdictReply.json(of: refusal).members, status: refusal.status, headers: refusal.headers)
            }
        }
        router.post("loginResult") { request, _ in
            try await rps.finish(try LoginDecision(await request.jsonObject()))
            return Response(status: .ok)
        }
        // By the RPS.
        router.post("mpinVerify") { request, _ in
            let isActive = try await relyingParty.verify(try NewRegistration(await request.jsonObject()))
            return Response.json(RegistrationVerdict(isActive: isActive).json)
        }
        router.get("mpinPermitUser") { request, _ in
            guard let bytes = try request.queryFields()["mpin_id"].flatMap({ Hexadecimal.bytes($0) }) else {
                throw Refusal.invalidData
            }
            try await relyingParty.permit(MPinID(bytes), isRevoked: nil)
            return Response(status: .ok)
        }
    }
}
