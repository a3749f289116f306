// SPDX-License-Identifier: Apache-2.0

import Encoding
import LoginValues
import MPinCrypto

/// A signature that the platform can verify for a relying party (docs/protocol/miracl.md, section 12.3). All values
/// except ``dtas`` are lower-case hexadecimal.
public struct DVSSignature: Sendable, Hashable {
    /// The SHA-256 digest of the document, 64 digits, which the relying party must compare.
    public let hash: String
    /// The signer's identity, as the platform issued it.
    public let mpinID: String
    /// A point, 130 digits.
    public let u: String
    /// A point, 130 digits.
    public let v: String
    /// 256 digits.
    public let publicKey: String
    /// The issuers of the signer's secret, as the platform wrote them.
    public let dtas: String
    /// The time of signing, in seconds since 1970-01-01 UTC; part of the signed content.
    public let timestamp: UInt32

    /// - Parameter publicKey: the prover's; without it nobody could verify the signature.
    init(
        _ signature: DocumentSignature, of documentHash: [UInt8], by prover: Prover, publicKey key: DVSPublicKey
    ) {
        hash = Hexadecimal.text(documentHash)
        mpinID = Hexadecimal.text(prover.identity.mpinID.bytes)
        u = Hexadecimal.text(signature.u)
        v = Hexadecimal.text(signature.v)
        publicKey = Hexadecimal.text(key.bytes)
        dtas = prover.dtas ?? ""
        timestamp = signature.timestamp.value
    }

    /// The signature as the JSON object that relying parties pass on for verification, without the time, which they
    /// send separately.
    public var json: String { text(of: members) }

    /// The signature with the time, as platforms take it at the end of a signing session.
    var jsonWithTimestamp: String { text(of: members + [("timestamp", .number(Int(timestamp)))]) }

    var members: [JSONBody.Member] {
        [
            ("hash", .text(hash)), ("mpinId", .text(mpinID)), ("u", .text(u)), ("v", .text(v)),
            ("publicKey", .text(publicKey)), ("dtas", .text(dtas)),
        ]
    }

    private func text(of members: [JSONBody.Member]) -> String {
        JSONBody(members).encoded().withBytes { bytes in
            String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
        }
    }
}
