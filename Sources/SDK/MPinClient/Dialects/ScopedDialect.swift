// SPDX-License-Identifier: Apache-2.0

import Encoding
import LoginValues
import MPinCrypto

/// The common parts of the dialects since 2018: a login names its purpose (`scope`), secrets name their issuers
/// (`dtas`), the second share has an address of its own, and a login may bring a new secret (docs/protocol/miracl.md,
/// sections 8 to 13).
///
/// A dialect of this family defines only its differences.
protocol ScopedDialect: Dialect {
    var pass1URL: WebAddress { get }
    var pass2URL: WebAddress { get }
    var authenticateURL: WebAddress { get }
    /// The address for registering a key with the token from a login; nil where that is impossible.
    var keyURL: WebAddress? { get }

    /// Members of pass 1 beyond the family's common ones.
    var ownMembersOfPass1: [JSONBody.Member] { get }
    /// The value that pass 2 sends about the session; nil for none.
    func sessionMember(for target: AuthenticationTarget) -> JSONBody.Value?
    /// Members of the `authenticate` request beyond the one-time token.
    func ownMembersOfFinalCall(for target: AuthenticationTarget) -> [JSONBody.Member]
    /// The way in which such a login may bring a new secret.
    func renewal(by target: AuthenticationTarget) -> SecretRenewal.Kind
}

extension ScopedDialect {
    static var checksPINLength: Bool { true }

    /// Reads a share and the address of the other one, for an identity with a public key.
    func designatedOffer(_ object: JSONObject, for mpinID: MPinID) throws(JSONError) -> SecretOffer {
        try object.requireCurve()
        return SecretOffer(
            mpinID: mpinID, share: try object.clientSecretShare("dvsClientSecretShare"),
            urls: [try object.address("cs2url")], dtas: try object.issuers("dtas"))
    }

    /// docs/protocol/miracl.md, sections 12.1 and 13.
    func registerKey(_ request: KeyRequest) throws(MPinError) -> Exchange<SecretOffer> {
        guard let keyURL else { throw absent("the key's registration") }
        let body = JSONBody([
            ("publicKey", .hex(request.publicKey.bytes)), ("deviceName", .text(request.deviceName)),
            ("dvsRegisterToken", .secretText(request.token)),
        ])
        return Exchange(.keyRegistration, send(.post, body, to: keyURL), success: Self.success) {
            object throws(JSONError) in try designatedOffer(object, for: try object.mpinID("mpinId"))
        }
    }
}
