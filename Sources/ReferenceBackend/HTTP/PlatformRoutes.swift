// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import MPinCrypto

/// The platform's API below one project URL. The private listener serves it too: there the relying party opens
/// sessions and asks about them. MIRACL protocol, sections 6 to 13.
struct PlatformRoutes: Sendable {
    let platform: Platform
    let mount: PlatformMount
    /// Nil where whoever gets this far is the relying party.
    let relyingParty: RelyingPartyCredentials?

    func add(to router: Router<BasicRequestContext>) {
        let group = router.group("\(mount.path)").add(middleware: PlatformErrorMiddleware(generation: mount.generation))
        let platform = platform
        if mount.generation == .mfaV2 {
            addDiscovery(to: group)
            addMailedRegistration(to: group)
        } else {
            group.get(".well-known/project-configuration") { _, _ in
                Response.json(["id": .string(platform.projectID)])
            }
            addRegistration(to: group)
        }
        addVerification(to: group)
        addShares(to: group)
        addSessions(to: group)
        addAuthentication(to: group)
        addSigning(to: group)
    }

    static let unknownRelyingParty = Refusal(401, "Relying party unknown")

    private func addVerification(to group: RouterGroup<BasicRequestContext>) {
        let (platform, mount, relyingParty, policy) = (platform, mount, relyingParty, devicePolicy)
        group.post("verification") { request, _ in
            // Before 2025 devices asked for their mail here.
            if mount.generation != .trust2025, request.headers[.authorization] == nil {
                if mount.generation == .mfaV2 { try policy?.checkCompany(request) }
                return Response.json(
                    try await platform.sendVerificationMail(try await request.jsonObject(), at: mount))
            }
            guard relyingParty?.admit(request.headers[.authorization]) != false else { throw Self.unknownRelyingParty }
            return Response.json(try await platform.makeVerificationLink(try await request.jsonObject(), at: mount))
        }
        group.post("verification/email") { request, _ in
            Response.json(try await platform.sendVerificationMail(try await request.jsonObject(), at: mount))
        }
        group.post("verification/quickcode") { request, _ in
            Response.json(try await platform.makeQuickCode(try await request.jsonObject()))
        }
        group.post("verification/confirmation") { request, _ in
            Response.json(try await platform.confirmVerification(try await request.jsonObject()))
        }
    }

    private func addRegistration(to group: RouterGroup<BasicRequestContext>) {
        let (platform, mount) = (platform, mount)
        // Its absence is what clients know the first generation by.
        if mount.generation == .trust2025 {
            group.post("registration") { request, _ in
                Response.json(try await platform.register(try await request.jsonObject(), at: mount))
            }
        }
        group.put("rps/v2/user") { request, _ in
            Response.json(try await platform.startRegistration(try await request.jsonObject()))
        }
        group.get("rps/v2/signature/{mpinID}") { request, context in
            let mpinID = try context.mpinID(or: .invalidData)
            return Response.json(
                try await platform.clientSecretShare(for: mpinID, query: try request.queryFields(), at: mount))
        }
    }

    private func addShares(to group: RouterGroup<BasicRequestContext>) {
        let (platform, mount) = (platform, mount)
        group.post("rps/v2/dvsregister") { request, _ in
            Response.json(try await platform.renew(try await request.jsonObject(), at: mount))
        }
        group.get("dta/{number}/clientSecret") { request, context in
            guard let number = context.parameters.get("number").flatMap({ Int($0) }) else { throw Refusal.notFound }
            return Response.json(
                try await platform.clientSecretShare(
                    ofAuthority: number, query: try request.queryFields(), in: mount.generation))
        }
    }

    private func addSessions(to group: RouterGroup<BasicRequestContext>) {
        let (platform, mount) = (platform, mount)
        group.post("rps/v2/session") { request, _ in
            Response.json(try await platform.makeSession(try await request.jsonObject(), at: mount))
        }
        group.post("rps/v2/access") { request, _ in
            Response.json(try await platform.access(try await request.jsonObject()))
        }
        group.post("rps/v2/codeStatus") { request, _ in
            Response.json(try await platform.reportProgress(try await request.jsonObject(), at: mount))
        }
        // Devices may name an address for notifications when they register; nobody here sends any.
        group.post("pushauth") { _, _ -> Response in throw PlatformRefusal(.noPushToken) }
    }

    private func addSigning(to group: RouterGroup<BasicRequestContext>) {
        let (platform, mount, relyingParty) = (platform, mount, relyingParty)
        for path in ["dvs/jwks", ".well-known/jwks"] {
            group.get("\(path)") { _, _ in Response.json(platform.tokens.keySet) }
        }
        group.post("dvs/verify") { request, _ in
            let body = try await request.jsonObject()
            let hash = body.object("signature")?.string("hash") ?? ""
            guard relyingParty?.admit(request.headers[.authorization], for: hash) != false else {
                throw Self.unknownRelyingParty
            }
            return Response.json(try await platform.verifySignature(body))
        }
        group.post("dvs/session") { request, _ in
            Response.json(try await platform.makeSigningSession(try await request.jsonObject(), at: mount))
        }
        group.post("dvs/session/details") { request, _ in
            Response.json(try await platform.signingSessionDetails(try await request.jsonObject(), at: mount))
        }
        group.put("dvs/session") { request, _ in
            Response.json(try await platform.completeSigningSession(try await request.jsonObject()))
        }
        group.delete("dvs/session") { request, _ in
            Response.json(try await platform.abortSigningSession(try await request.jsonObject()))
        }
    }

    private func addAuthentication(to group: RouterGroup<BasicRequestContext>) {
        let (platform, mount) = (platform, mount)
        group.post("rps/v2/pass1") { request, _ in
            Response.json(try await platform.pass1(try await request.jsonObject(), at: mount))
        }
        group.post("rps/v2/pass2") { request, _ in
            Response.json(try await platform.pass2(try await request.jsonObject()))
        }
        group.post("rps/v2/authenticate") { request, _ in
            Response.json(try await platform.authenticate(try await request.jsonObject(), at: mount))
        }
    }
}
