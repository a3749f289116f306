// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import OpenIDProvider
import WebTokens

/// What the web site of a project asks the platform. Both are in one process; the private listener serves the same over
/// HTTP. MIRACL protocol, sections 6 and 12.4.
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
