// SPDX-License-Identifier: Apache-2.0

import BackendHTTP
import BackendValues
import Encoding
import HTTPTypes
import Hummingbird
import MPinCrypto
import MPinServer

/// The requests of clients before 2023. docs/protocol/miracl.md, sections 4, 5, 6.3, 8.2 and 15.
extension PlatformRoutes {
    func addDiscovery(to group: RouterGroup<BasicRequestContext>) {
        let devices = devices(in: group)
        devices.get("service") { _, _ in Response.json(try await platform.serviceDescription(at: mount).json) }
        devices.get("rps/v2/clientSettings") { _, _ in
            Response.json(try await platform.clientSettings(at: mount).json)
        }
    }

    func addMailedRegistration(to group: RouterGroup<BasicRequestContext>) {
        let devices = devices(in: group)
        devices.put("rps/v2/user") { request, _ in
            let registration = try MailedRegistrationRequest(await request.jsonObject())
            let reply = try await platform.startMailedRegistration(registration, at: mount)
            return Response.json(reply.json(appID: platform.credentials.appID))
        }
        devices.put("rps/v2/user/{mpinID}") { request, context in
            let mpinID = try context.mpinID(or: .invalidData)
            let registration = try MailedRegistrationRequest(await request.jsonObject(), restarting: mpinID)
            let reply = try await platform.startMailedRegistration(registration, at: mount)
            return Response.json(reply.json(appID: platform.credentials.appID))
        }
        devices.get("rps/v2/signature/{mpinID}") { request, context in
            let mpinID = try context.mpinID(or: .invalidData)
            let share = try await platform.loginSecretShare(for: mpinID, query: try request.queryFields(), at: mount)
            return Response.json(share.loginJSON)
        }
        group.post("mpinActivate") { request, _ in
            let pages = Pages(at: mount).speaking(to: request)
            guard let link = try await request.formFields().flatMap({ ActivationLink(fields: $0) }),
                try await platform.activate(link)
            else { return Response.html(pages.activationFailed(), status: .badRequest) }
            return Response.html(pages.activated(link))
        }
        group.get("mpinActivate") { request, _ in
            let pages = Pages(at: mount).speaking(to: request)
            guard let link = ActivationLink(fields: try request.queryFields()) else {
                return Response.html(pages.activationFailed(), status: .badRequest)
            }
            return Response.html(pages.activation(link))
        }
    }

    /// The routes of devices, which name their company.
    private func devices(in group: RouterGroup<BasicRequestContext>) -> RouterGroup<BasicRequestContext> {
        group.group().add(middleware: CompanyMiddleware(policy: policy))
    }
}
