// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinCrypto

/// Values of the request for the first share of a client secret.
struct FirstShareRequest {
    let mpinID: MPinID
    let regOTT: SecretBytes
    /// Where the server may send push messages to; nil when there is none.
    var pushIdentifier: String?
    /// Nil in the dialects whose identities have none.
    var publicKey: DVSPublicKey?
}

extension FirstShareRequest {
    /// The address of the request: the one place where a secret is part of an address, because the protocol says so.
    func address(below signatureURL: WebAddress) throws(MPinError) -> WebAddress {
        let token = regOTT.withBytes { text in String(decoding: text.indices.map { text[$0] }, as: UTF8.self) }
        var query = "regOTT=\(PercentEncoding.text(token))"
        if let publicKey { query += "&publicKey=\(Hex.text(publicKey.bytes))" }
        if let pushIdentifier, !pushIdentifier.isEmpty { query += "&pmiToken=\(PercentEncoding.text(pushIdentifier))" }
        return try MPinError.address(
            signatureURL, "/\(Hex.text(mpinID.bytes))?\(query)", for: .clientSecretShare1)
    }
}
