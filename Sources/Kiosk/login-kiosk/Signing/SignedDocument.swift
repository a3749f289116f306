// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import MPinClient

/// The output for a signature.
struct SignedDocument: Encodable {
    private struct Signature: Encodable {
        let hash: String
        let mpinId: String
        let u: String
        let v: String
        let publicKey: String
        let dtas: String
    }

    private let version = 1
    private let outcome = "signed"
    private let user: String
    private let timestamp: UInt32
    /// In the form for relying parties.
    private let signature: Signature
    /// Whether the application's server, or the signing session, has accepted it; nil if neither was asked.
    private let accepted: Bool?

    init(_ signature: DVSSignature, user: String, isAccepted: Bool?) {
        self.user = user
        timestamp = signature.timestamp
        self.signature = Signature(
            hash: signature.hash, mpinId: signature.mpinID, u: signature.u, v: signature.v,
            publicKey: signature.publicKey, dtas: signature.dtas)
        accepted = isAccepted
    }

    func report(json: Bool) throws {
        if json { return try JSONOutput.write(self) }
        let time = ServerTime.text(Int64(timestamp))
        try Output.write("signed: \(user), \(time)\(accepted == true ? ", accepted by the service" : "")\n")
        try JSONOutput.write(signature)
    }
}
