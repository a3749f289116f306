// SPDX-License-Identifier: Apache-2.0

package import OpenIDProvider

/// The requests of a project's web site to the platform in the same process. docs/protocol/miracl.md, sections 6 and
/// 12.4.
package protocol PlatformService: Sendable {
    /// Opens a session for a page that changes its code.
    /// - Parameter application: the application's name for devices; nil for the place's own web site. A platform
    ///   elsewhere does not show it.
    /// - Throws: `Refusal` 429 and 503 when there is no room for the name.
    func openPage(for application: String?) async throws -> OpenedSession
    /// Ends a session whose page is gone before a device proved a PIN, and frees its room.
    func closePage(_ accessID: String) async throws
    /// Returns the progress of a session.
    func access(_ request: PlatformAccessRequest) async throws -> PlatformAccessReply
    /// Yields when the session of a code changes; nil for a platform that cannot tell.
    func changes(of accessID: String) -> AsyncStream<Void>?
    /// A certificate that a signature is good.
    /// - Returns: nil when its points are none or its identity is unknown.
    /// - Throws: `Refusal` 401 for a wrong one, 410 for an identity that is blocked or revoked.
    func certificate(for signature: SubmittedSignature) async throws -> String?
    /// The keys that verify certificates.
    var keySet: JSONObject { get async throws }
}

/// The platform of one place, for its web site and for applications on devices.
package struct PlatformGate: ApplicationGate, PlatformService {
    let platform: Platform
    let mount: PlatformMount

    package init(platform: Platform, mount: PlatformMount) {
        self.platform = platform
        self.mount = mount
    }

    package func openSession(expecting userID: String, for application: String?) async throws -> OpenedSession {
        var request: SessionRequest
        do { request = try SessionRequest(expecting: userID) } catch { throw Refusal.invalidData }
        request.application = application
        return try await platform.makeSession(request, at: mount)
    }

    package func openPage(for application: String?) async throws -> OpenedSession {
        try await platform.openPage(at: mount, for: application)
    }

    package func closePage(_ accessID: String) async throws {
        try await platform.sessions.giveUp(accessID, now: platform.clock.now)
    }

    package var applicationLogins: ApplicationLogins { platform.applicationLogins }

    package func access(_ request: PlatformAccessRequest) async throws -> PlatformAccessReply {
        try await platform.access(request)
    }

    package func changes(of accessID: String) -> AsyncStream<Void>? { platform.sessions.changes(of: accessID) }

    package func certificate(for signature: SubmittedSignature) async throws -> String? {
        do { return try await platform.certify(signature).certificate } catch let refusal as PlatformRefusal {
            switch refusal.code {
            case .unsuccessfulAuthentication, .revokedMPinID:
                throw Refusal(refusal.code.status, refusal.code.info)
            default: return nil
            }
        }
    }

    package var keySet: JSONObject { platform.tokens.keySet }
}
