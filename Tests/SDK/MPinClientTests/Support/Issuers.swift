// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

/// A pair of D-TAs and the resulting server secret.
final class Issuers: Sendable {
    private let first: MasterSecret
    private let second: MasterSecret
    let serverSecret: ServerSecret

    init() throws {
        first = try .random()
        second = try .random()
        serverSecret = try ServerSecret(combining: first.serverSecretShare(), second.serverSecretShare())
    }

    /// - Parameter issuer: 1 or 2.
    func share(of issuer: Int, for identity: HashedIdentity) throws -> String {
        try issuer == 1
            ? first.clientSecretShare(for: identity).withBytes(hex)
            : second.clientSecretShare(for: identity).withBytes(hex)
    }

    func permitShare(of issuer: Int, for identity: HashedIdentity) throws -> String {
        let day = try EpochDay(ScriptedServer.day)
        return try issuer == 1
            ? first.timePermitShare(for: identity, on: day).withBytes(hex)
            : second.timePermitShare(for: identity, on: day).withBytes(hex)
    }
}
