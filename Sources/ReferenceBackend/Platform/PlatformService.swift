// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import OpenIDProvider
import WebTokens

/// What the web site of a project asks the platform. Here both are in one process; ``HTTPPlatformService`` is the same
/// over HTTP. MIRACL protocol, sections 6 and 12.4.
protocol PlatformService: Sendable {
    /// Opens a session for a browser.
    /// - Parameter userID: who is expected; empty for any user.
    func openSession(expecting userID: String) async throws -> OpenedSession
    /// How far a session is.
    func access(_ request: PlatformAccessRequest) async throws -> PlatformAccessReply
    /// A certificate that a signature is good.
    /// - Returns: nil when its points are none or its identity is unknown.
    /// - Throws: `Refusal` 401 for a wrong one, 410 for an identity that is blocked or revoked.
    func certificate(for signature: SubmittedSignature) async throws -> String?
    /// With which certificates are checked.
    var keySet: JSONObject { get async throws }
}

/// The platform at one place as its web site and applications on devices meet it.
struct PlatformGate: ApplicationGate, PlatformService {
    let platform: Platform
    let mount: PlatformMount

    func openSession(expecting userID: String) async throws -> OpenedSession {
        let request: PlatformSessionRequest
        do { request = try PlatformSessionRequest(expecting: userID) } catch { throw Refusal.invalidData }
        return try await platform.makeSession(request, at: mount)
    }

    var applicationLogins: ApplicationLogins { platform.applicationLogins }

    func access(_ request: PlatformAccessRequest) async throws -> PlatformAccessReply {
        try await platform.access(request)
    }

    func certificate(for signature: SubmittedSignature) async throws -> String? {
        do { return try await platform.certify(signature).certificate } catch let refusal as PlatformRefusal {
            switch refusal.code {
            case .unsuccessfulAuthentication, .revokedMPinID:
                throw Refusal(refusal.code.status.code, refusal.code.info)
            default: return nil
            }
        }
    }

    var keySet: JSONObject { platform.tokens.keySet }
}

/// The platform at an address.
struct HTTPPlatformService: PlatformService {
    let client: PrivateClient
    let projectID: String

    func openSession(expecting userID: String) async throws -> OpenedSession {
        let request = JSONObject(["projectId": .string(projectID), "userId": .string(userID)])
        guard let session = OpenedSession(try await ask("/rps/v2/session", request)) else { throw Self.failure }
        return session
    }

    func access(_ request: PlatformAccessRequest) async throws -> PlatformAccessReply {
        let reply = try await ask("/rps/v2/access", request.json)
        guard let read = PlatformAccessReply(reply) else { throw Self.failure }
        return read
    }

    func certificate(for signature: SubmittedSignature) async throws -> String? {
        let reply = try await client.post("/dvs/verify", CertificationRequest(signature: signature).json)
        switch reply.status {
        case 200: return reply.object.flatMap { CertificationReply($0) }?.certificate
        case 401, 410: throw Refusal(reply.status, "Signature refused")
        default: return nil
        }
    }

    var keySet: JSONObject {
        get async throws {
            guard let keySet = try await client.get("/dvs/jwks").object else { throw Self.failure }
            return keySet
        }
    }

    private func ask(_ path: String, _ body: JSONObject) async throws -> JSONObject {
        let reply = try await client.post(path, body)
        guard reply.status == 200, let object = reply.object else { throw Self.failure }
        return object
    }

    private static let failure = Refusal(502, "The login platform failed")
}
