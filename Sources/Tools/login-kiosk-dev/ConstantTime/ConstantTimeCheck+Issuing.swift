// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

extension ConstantTimeCheck {
    /// Checks the computations of issuers, and the sum of their shares.
    static func issuing(_ samples: Samples) -> [ConstantTimeCheck] {
        [
            ConstantTimeCheck(name: "G1 multiplication: share of a client secret") {
                let master = try MasterSecret(bytes: Taint.secret(samples.masterShares.first))
                try master.clientSecretShare(for: samples.identity.hashed).withBytes(use)
            },
            ConstantTimeCheck(name: "G1 multiplication: share of a time permit") {
                let master = try MasterSecret(bytes: Taint.secret(samples.masterShares.first))
                try master.timePermitShare(for: samples.identity.hashed, on: samples.day).withBytes(use)
            },
            ConstantTimeCheck(name: "G2 multiplication: share of the server secret") {
                let master = try MasterSecret(bytes: Taint.secret(samples.masterShares.first))
                master.serverSecretShare().withBytes(use)
            },
            ConstantTimeCheck(name: "inverse and G2 multiplication: public key") {
                let key = try DVSPrivateKey(bytes: Taint.secret(samples.dvsKey))
                Taint.publish(key.publicKey.bytes)
            },
            ConstantTimeCheck(name: "shares of a client secret combined") {
                let secret = try ClientSecret(
                    combining: ClientSecretShare(bytes: Taint.secret(samples.clientSecretShares.first)),
                    ClientSecretShare(bytes: Taint.secret(samples.clientSecretShares.second)))
                secret.withBytes(use)
            },
            ConstantTimeCheck(name: "shares of a client secret combined, with a private key") {
                let secret = try ClientSecret(
                    combining: ClientSecretShare(bytes: Taint.secret(samples.clientSecretShares.first)),
                    ClientSecretShare(bytes: Taint.secret(samples.clientSecretShares.second)),
                    dvsKey: DVSPrivateKey(bytes: Taint.secret(samples.dvsKey)))
                secret.withBytes(use)
            },
            ConstantTimeCheck(name: "shares of a time permit combined") {
                let permit = try TimePermit(
                    combining: TimePermitShare(bytes: Taint.secret(samples.permitShares.first)),
                    TimePermitShare(bytes: Taint.secret(samples.permitShares.second)), day: samples.day)
                permit.withBytes(use)
            },
            ConstantTimeCheck(name: "shares of the server secret combined") {
                let secret = try ServerSecret(
                    combining: ServerSecretShare(bytes: Taint.secret(samples.serverSecretShares.first)),
                    ServerSecretShare(bytes: Taint.secret(samples.serverSecretShares.second)))
                secret.withBytes(use)
            },
            ConstantTimeCheck(name: "comparison of secrets") {
                let token = try Token(bytes: Taint.secret(samples.token))
                let same = try Token(bytes: Taint.secret(samples.token))
                let other = try Token(bytes: Taint.secret(samples.classicToken))
                guard token == same, token != other else { throw CheckError.wrongResult }
            },
        ]
    }

    /// Reads every byte of `bytes`.
    static func use(_ bytes: Span<UInt8>) {
        var sum: UInt8 = 0
        for index in bytes.indices { sum ^= bytes[index] }
        Taint.publish([sum])
    }
}
