// SPDX-License-Identifier: Apache-2.0

import BackendHTTP
import BackendValues
import Encoding
import Hummingbird
import MPinCrypto
import MPinServer

/// The RPS's API, below `/rps/`.
struct RPSRoutes: Sendable {
    let rps: RPS
    let policy: ClientPolicy

    func add(to router: RouterGroup<BasicRequestContext>) {
        let group = router.group("\(RPS.prefix)")
        group.post("getQrUrl") { _, _ in Response.json(try await rps.makePicture().json) }
        group.post("getAccessNumber") { request, _ in
            try request.refuseOtherSites()
            return Response.json(try await rps.makeAccessNumber().json)
        }
        group.post("access") { request, _ in
            Response.json(try await rps.access(try AccessRequest(await request.jsonObject())).json)
        }
        let devices = router.group("\(RPS.prefix)").add(middleware: CompanyMiddleware(policy: policy))
        devices.get("clientSettings") { _, _ in Response.json(try await rps.clientSettings().json) }
        addRegistration(to: devices)
        addAuthentication(to: devices)
    }

    private func addRegistration(to devices: RouterGroup<BasicRequestContext>) {
        devices.put("user") { request, _ in
            Response.json(try await rps.register(try RegistrationRequest(await request.jsonObject())).json)
        }
        devices.put("user/{mpinID}") { request, context in
            let mpinID = try context.mpinID(or: .invalidData)
            let registration = try RegistrationRequest(await request.jsonObject(), restarting: mpinID)
            return Response.json(try await rps.register(registration).json)
        }
        devices.get("signature/{mpinID}") { request, context in
            let mpinID = try context.mpinID(or: .invalidData)
            let regOTT = try request.queryFields()["regOTT"].flatMap { OneTimeToken($0) }
            return Response.json(try await rps.clientSecretShare(for: mpinID, regOTT: regOTT).json)
        }
        devices.get("timePermit/{mpinID}") { _, context in
            let digits = context.parameters.get("mpinID")?.utf8
            let isHexadecimal = digits?.allSatisfy { Hexadecimal.value(of: $0) != nil } ?? false
            let mpinID = try context.mpinID(or: isHexadecimal ? .invalidData : .notFound)
            return Response.json(try await rps.timePermitShare(for: mpinID).json)
        }
        devices.post("setupDone/{mpinID}") { _, context in
            _ = try context.mpinID(or: .invalidData)
            return Response(status: .ok)
        }
    }

    private func addAuthentication(to devices: RouterGroup<BasicRequestContext>) {
        devices.post("codeStatus") { request, _ in
            let report = try ProgressReport(await request.jsonObject())
            let details = try await rps.reportProgress(report)
            return Response.json(
                details?.json
                    ?? (report.status == .scanned ? ProgressReport.codeIsOld : ProgressReport.acknowledgement))
        }
        devices.post("pass1") { request, _ in
            let body = try await request.jsonObject(or: .invalidPass("No JSON object"))
            return Response.json(try await rps.pass1(try PassOneRequest(body, in: rps.dialect)).json)
        }
        devices.post("pass2") { request, _ in
            let body = try await request.jsonObject(or: .invalidPass("No JSON object"))
            return Response.json(try await rps.pass2(try PassTwoRequest(body)).json)
        }
        devices.post("authenticate") { request, _ in
            let login = try DeviceLoginRequest(await request.jsonObject())
            return Response.json(try await rps.authenticateDevice(login).json)
        }
    }
}

extension RequestContext {
    /// The mpin_id in the path, in hexadecimal.
    func mpinID(or refusal: Refusal) throws -> MPinID {
        guard let mpinID = MPinID(hexadecimal: parameters.get("mpinID")) else { throw refusal }
        return mpinID
    }
}
