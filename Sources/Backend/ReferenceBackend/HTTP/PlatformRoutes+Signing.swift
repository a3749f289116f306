// SPDX-License-Identifier: Apache-2.0

import BackendHTTP
import BackendValues
import Encoding
import Hummingbird
import MPinServer

/// The requests about signatures. docs/protocol/miracl.md, section 12.
extension PlatformRoutes {
    func addSigning(to group: RouterGroup<BasicRequestContext>) {
        for path in ["dvs/jwks", ".well-known/jwks"] {
            group.get("\(path)") { _, _ in Response.json(platform.tokens.keySet) }
        }
        group.post("dvs/verify") { request, _ in
            let body = try await request.jsonObject()
            // A stranger gets no further details.
            try requireRelyingParty(request, for: CertificationRequest.hash(in: body))
            return Response.json(try await platform.certify(CertificationRequest(body).signature).json)
        }
        group.post("dvs/session") { request, _ in
            let isFromRelyingParty = try isFromRelyingParty(request)
            let session = try SessionRequest(
                signing: await request.jsonObject(), isFromRelyingParty: isFromRelyingParty, of: platform)
            return Response.json(try await platform.makeSession(session, at: mount).json)
        }
        group.post("dvs/session/details") { request, _ in
            let session = try SigningSessionRequest(await request.jsonObject())
            return Response.json(try await platform.details(of: session, at: mount).json)
        }
        group.put("dvs/session") { request, _ in
            try await platform.complete(try SignatureDelivery(await request.jsonObject()))
            return Response.json(["status": "signed"])
        }
        group.delete("dvs/session") { request, _ in
            try await platform.abort(try SigningSessionRequest(await request.jsonObject()))
            return Response.json(["status": "OK"])
        }
    }
}
