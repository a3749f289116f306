// SPDX-License-Identifier: Apache-2.0

import BackendHTTP
import BackendValues
import Encoding
import HTTPTypes
import Hummingbird
import MPinCrypto
import MPinServer

/// The platform's API below one project URL. docs/protocol/miracl.md, sections 6 to 13.
struct PlatformRoutes: Sendable {
    let platform: Platform
    let mount: PlatformMount
    /// The devices before 2023 that are accepted.
    let policy: ClientPolicy
    let relyingParty: RelyingPartyCredentials

    func add(to router: Router<BasicRequestContext>) {
        let group = router.group("\(mount.path)").add(middleware: PlatformErrorMiddleware(generation: mount.generation))
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

    /// - Parameter hash: the hash of a document, whose token is accepted as well; nil for none.
    /// - Throws: `Refusal` 401 for missing or wrong credentials.
    func requireRelyingParty(_ request: Request, for hash: String? = nil) throws(Refusal) {
        let authorization = request.headers[.authorization]
        let isKnown = hash.map { relyingParty.admit(authorization, for: $0) } ?? relyingParty.admit(authorization)
        guard isKnown else { throw Refusal(401, "Relying party unknown") }
    }

    /// Whether a request comes from the relying party. One without credentials comes from a page, or from anybody.
    /// - Throws: `Refusal` 401 for wrong credentials.
    func isFromRelyingParty(_ request: Request) throws(Refusal) -> Bool {
        guard request.headers[.authorization] != nil else { return false }
        try requireRelyingParty(request)
        return true
    }

    private func addVerification(to group: RouterGroup<BasicRequestContext>) {
        group.post("verification") { request, _ in try await startVerification(request) }
        group.post("verification/email") { request, _ in try await sendMail(request) }
        group.post("verification/quickcode") { request, _ in
            let code = try RegistrationCodeRequest(await request.jsonObject(), to: platform.projectID)
            return Response.json(try await platform.makeRegistrationCode(code).json)
        }
        group.post("verification/confirmation") { request, _ in
            let confirmation = try ConfirmationRequest(await request.jsonObject())
            return Response.json(try await platform.confirmVerification(confirmation).json)
        }
    }

    /// Makes a link for the relying party, or sends a mail for an older device.
    private func startVerification(_ request: Request) async throws -> Response {
        if mount.generation.asksForMailsAtVerification, request.headers[.authorization] == nil {
            if mount.generation.namesProjectInHeader { try policy.checkCompany(request) }
            return try await sendMail(request)
        }
        try requireRelyingParty(request)
        let link = try VerificationLinkRequest(await request.jsonObject(), to: platform.projectID)
        return Response.json(["verificationURL": .string(try await platform.makeVerificationLink(link, at: mount))])
    }

    private func sendMail(_ request: Request) async throws -> Response {
        let projectID = mount.generation.namesProjectInHeader ? nil : platform.projectID
        let mail = try VerificationMailRequest(await request.jsonObject(), to: projectID)
        return Response.json(try await platform.sendVerificationMail(mail, at: mount).json)
    }

    private func addRegistration(to group: RouterGroup<BasicRequestContext>) {
        // Clients recognise the first generation by the absence of this route.
        if mount.generation == .trust2025 {
            group.post("registration") { request, _ in
                let registration = try PlatformRegistrationRequest(await request.jsonObject())
                return Response.json(try await platform.register(registration, at: mount).json)
            }
        }
        group.put("rps/v2/user") { request, _ in
            let start = try RegistrationStartRequest(await request.jsonObject())
            return Response.json(try await platform.startRegistration(start).json())
        }
        group.get("rps/v2/signature/{mpinID}") { request, context in
            let mpinID = try context.mpinID(or: .invalidData)
            let share = try await platform.clientSecretShare(for: mpinID, query: try request.queryFields(), at: mount)
            return Response.json(share.json)
        }
    }

    private func addShares(to group: RouterGroup<BasicRequestContext>) {
        group.post("rps/v2/dvsregister") { request, _ in
            Response.json(try await platform.renew(try NewKeyRequest(await request.jsonObject()), at: mount).json)
        }
        group.get("dta/{number}/clientSecret") { request, context in
            guard let number = context.parameters.get("number").flatMap({ Int($0) }) else { throw Refusal.notFound }
            return Response.json(
                try await platform.clientSecretShare(
                    ofAuthority: number, query: try request.queryFields(), in: mount.generation
                ).json)
        }
    }

    private func addSessions(to group: RouterGroup<BasicRequestContext>) {
        group.post("rps/v2/session") { request, _ in
            let isFromRelyingParty = try isFromRelyingParty(request)
            let session = try SessionRequest(
                await request.jsonObject(), isFromRelyingParty: isFromRelyingParty, of: platform)
            return Response.json(try await platform.makeSession(session, at: mount).json)
        }
        group.post("rps/v2/access") { request, _ in
            Response.json(try await platform.access(try PlatformAccessRequest(await request.jsonObject())).json)
        }
        group.post("rps/v2/codeStatus") { request, _ in
            let report = try PlatformProgressReport(await request.jsonObject())
            let details = try await platform.reportProgress(report, at: mount)
            return Response.json(details?.json ?? PlatformProgressReport.acknowledgement)
        }
        // Devices may register an address for notifications. This backend sends none.
        group.post("pushauth") { _, _ -> Response in throw PlatformRefusal(.noPushToken) }
    }

    private func addAuthentication(to group: RouterGroup<BasicRequestContext>) {
        group.post("rps/v2/pass1") { request, _ in
            let pass = try PlatformPassOneRequest(await request.jsonObject())
            return Response.json(try await platform.pass1(pass, at: mount).json)
        }
        group.post("rps/v2/pass2") { request, _ in
            Response.json(try await platform.pass2(try PlatformPassTwoRequest(await request.jsonObject())).json)
        }
        group.post("rps/v2/authenticate") { request, _ in
            let login = try PlatformLoginRequest(await request.jsonObject())
            return Response.json(try await platform.authenticate(login, at: mount).json)
        }
    }
}
