// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinCrypto

extension IdentityRecord {
    /// The prover in a login for `target`.
    ///
    /// - Returns: nil when the identity has no token, or none for signing.
    func prover(for target: AuthenticationTarget) -> Prover? {
        guard let credential = credentialOrHeld else { return nil }
        if case .signing = target {
            if let signing = credential.signing { return Prover(signing) }
            guard credential.publicKey != nil else { return nil }
        }
        return Prover(
            identity: MPinIdentity(mpinID, publicKey: credential.publicKey), token: credential.token,
            pinLength: credential.pinLength, dtas: credential.dtas)
    }

    var canSign: Bool { prover(for: .signing) != nil }
}

extension Prover {
    init(_ signing: IdentityRecord.SigningCredential) {
        self.init(
            identity: MPinIdentity(signing.mpinID, publicKey: signing.publicKey), token: signing.token,
            pinLength: nil, dtas: signing.dtas)
    }
}
