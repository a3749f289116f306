// SPDX-License-Identifier: Apache-2.0

import Encoding
import LoginValues
import MPinCrypto

/// Values of the request for the first share of a client secret.
struct FirstShareRequest {
    let mpinID: MPinID
    let regOTT: SecretBytes
    /// The address for push messages; nil when there is none.
    var pushIdentifier: String?
    /// Nil in the dialects whose identities have no keys.
    var publicKey: DVSPublicKey?
}

extension FirstShareRequest {
    /// The address of the request. It contains a secret, as the protocol demands; no other address does.
    func address(below signatureURL: WebAddress) throws(MPinError) -> WebAddress {
        let token = regOTT.withBytes { text in String(decoding: text.indices.map { text[$0] }, as: UTF8.self) }
        var query = "regOTT=\(PercentEncoding.text(token))"
        if let publicKey { query += "&publicKey=\(Hexadecimal.text(publicKey.bytes))" }
        if let pushIdentifier, !pushIdentifier.isEmpty { query += "&pmiToken=\(PercentEncoding.text(pushIdentifier))" }
        return try MPinError.address(
            signatureURL, "/\(Hexadecimal.text(mpinID.bytes))?\(query)", for: .clientSecretShare1)
    }
}
