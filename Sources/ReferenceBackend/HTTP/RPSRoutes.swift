// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import MPinCrypto

/// The RPS's public API, below `/rps/`. The private listener serves it too, without the client policy: there the relying
/// party stands in for its browsers.
struct RPSRoutes: Sendable {
    let rps: RPS
    let policy: ClientPolicy?

    func add(to router: RouterGroup<BasicRequestContext>) {
        let rps = rps
        let group = router.group("\(RPS.prefix)")
        group.post("getQrUrl") { _, _ in Response.json(try await rps.makeQRSession()) }
        group.post("getAccessNumber") { _, _ in Response.json(try await rps.makeAccessNumberSession()) }
        group.post("access") { request, _ in Response.json(try await rps.access(try await request.jsonObject())) }

        // From here on the caller is a device.
        let devices = router.group("\(RPS.prefix)").add(middleware: CompanyMiddleware(policy: policy))
        devices.get("clientSettings") { _, _ in Response.json(try await rps.clientSettings()) }
        devices.put("user") { request, _ in
            Response.json(try await rps.register(try await request.jsonObject(), restarting: nil))
        }
        devices.put("user/{mpinID}") { request, context in
            let mpinID = try context.mpinID(or: .invalidData)
            return Response.json(try await rps.register(try await request.jsonObject(), restarting: mpinID))
        }
        devices.get("signature/{mpinID}") { request, context in
            let mpinID = try context.mpinID(or: .invalidData)
            let regOTT = try request.queryFields()["regOTT"]
            return Response.json(try await rps.clientSecretShare(for: mpinID, regOTT: regOTT))
        }
        devices.get("timePermit/{mpinID}") { _, context in
            let isHexadecimal = context.parameters.get("mpinID")?.allSatisfy { $0.isASCII && $0.isHexDigit } ?? false
            let mpinID = try context.mpinID(or: isHexadecimal ? .invalidData : .notFound)
            return Response.json(try await rps.timePermitShare(for: mpinID))
        }
        devices.post("setupDone/{mpinID}") { _, context in
            _ = try context.mpinID(or: .invalidData)
            return Response(status: .ok)
        }
        devices.post("codeStatus") { request, _ in
            Response.json(try await rps.reportProgress(try await request.jsonObject()))
        }
        devices.post("pass1") { request, _ in
            Response.json(try await rps.pass1(try await request.jsonObject(or: .invalidPass("No JSON object"))))
        }
        devices.post("pass2") { request, _ in
            Response.json(try await rps.pass2(try await request.jsonObject(or: .invalidPass("No JSON object"))))
        }
        devices.post("authenticate") { request, _ in
            Response.json(try await rps.authenticateDevice(try await request.jsonObject()))
        }
    }
}

extension RequestContext {
    /// The mpin_id that the path carries in hexadecimal.
    func mpinID(or refusal: Refusal) throws -> MPinID {
        guard let bytes = parameters.get("mpinID").flatMap({ Hexadecimal.bytes($0) }), (1...4096).contains(bytes.count)
        else { throw refusal }
        return MPinID(bytes)
    }
}
