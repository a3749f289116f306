// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import MPinCrypto

/// The public D-TA, below `dta/`. Only what a client needs: server secrets and permits in advance have no URL.
struct AuthorityRoutes: Sendable {
    let authority: TrustedAuthority
    let startTime: WallTime

    func add(to router: RouterGroup<BasicRequestContext>) {
        let authority = authority
        let startTime = startTime.zonedText
        let group = router.group("dta")
        group.get("clientSecret") { request, _ in
            let share = try authority.clientSecretShare(query: try request.queryFields())
            return Response.json([
                "clientSecret": .string(share.withBytes { Hexadecimal.text(copy(of: $0)) }), "message": "OK",
            ])
        }
        group.get("timePermit") { request, _ in
            let share = try authority.timePermitShare(query: try request.queryFields())
            return Response.json([
                "timePermit": .string(share.withBytes { Hexadecimal.text(copy(of: $0)) }), "message": "OK",
            ])
        }
        group.get("status") { _, _ in
            Response.json([
                "service_name": "D-TA server", "message": "OK", "startTime": .array([.string(startTime)]),
            ])
        }
    }
}
