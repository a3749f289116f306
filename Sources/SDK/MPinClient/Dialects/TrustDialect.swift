// SPDX-License-Identifier: Apache-2.0

import Encoding
import LoginValues
import MPinCrypto

/// The common parts of both generations of today's platform: projects, fixed paths, and identities that have a key from
/// their registration on, so that each can sign (docs/protocol/miracl.md, sections 1 and 8.3 to 13).
protocol TrustDialect: ScopedDialect {
    var project: TrustProject { get }
    /// The ways to reach a signing session, the likelier one first.
    var signingChannels: [SigningSession.Channel] { get }
}

extension TrustDialect {
    static var success: ClosedRange<Int> { 200...299 }
    static var registersKeys: Bool { true }

    var backend: WebAddress { project.url }
    var pass1URL: WebAddress { address("/rps/v2/pass1") }
    var pass2URL: WebAddress { address("/rps/v2/pass2") }
    var authenticateURL: WebAddress { address("/rps/v2/authenticate") }
    var codeStatusURL: WebAddress? { address("/rps/v2/codeStatus") }

    func headers(for method: HTTPRequest.Method) -> [HTTPHeader] {
        var configuration = configuration
        configuration.companyID = project.id
        return RequestHeaders.makeForTrust(method, configuration)
    }

    /// The address of a path of this platform. A project's own path is at most half as long as an address may be.
    func address(_ path: StaticString) -> WebAddress {
        guard let address = try? project.url.appending(path.description) else {
            preconditionFailure("the project's address has room for a path")
        }
        return address
    }

    func allows(_ target: AuthenticationTarget) -> Bool {
        switch target {
        case .browserSession, .registrationCode, .jwt, .signing: true
        // No public client does this at the platform: its applications take a signed statement instead.
        case .relyingParty, .oneTimePassword, .authorizationCode: false
        // Every identity can already sign.
        case .dvsRegistration: false
        }
    }

    var ownMembersOfPass1: [JSONBody.Member] { [] }

    func sessionMember(for target: AuthenticationTarget) -> JSONBody.Value? {
        target.accessCode.map { .accessCode($0) }
    }

    func ownMembersOfFinalCall(for target: AuthenticationTarget) -> [JSONBody.Member] { [("wam", .text("dvs"))] }

    func renewal(by target: AuthenticationTarget) -> SecretRenewal.Kind { .key }

    func registrationCode(jwt: SecretBytes, deviceName: String) -> Exchange<OneTimePassword>? {
        let body = JSONBody([
            ("projectId", .text(project.id)), ("jwt", .secretText(jwt)), ("deviceName", .text(deviceName)),
        ])
        return Exchange(
            .registrationCode, send(.post, body, to: address("/verification/quickcode")), success: Self.success
        ) {
            object throws(JSONError) in
            OneTimePassword(platform: object) ?? OneTimePassword(withoutDigits: .badReply)
        }
    }

    /// Refuses a reply that belongs to another project.
    func requireProject(_ id: String) throws(JSONError) {
        guard id.isEmpty || id == project.id else { throw JSONError("`projectId` is another project's") }
    }
}

/// A project of the trust dialects: no client settings, only an address with fixed paths below it.
struct TrustProject: Sendable {
    let url: WebAddress
    let id: String
    /// Nil until a registration has shown it.
    var generation: DialectName?
}
