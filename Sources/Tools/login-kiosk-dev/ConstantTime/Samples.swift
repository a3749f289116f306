// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

/// Secrets of every kind that belong together: two issuers, a key, an identity with and one without it, and their
/// secrets for one day. The checks mark copies of them as secret.
struct Samples {
    let masterShares: (first: [UInt8], second: [UInt8])
    let dvsKey: [UInt8]
    let x: [UInt8]
    let pin: [UInt8]
    let day: EpochDay
    let time: Timestamp
    let documentHash = [UInt8](repeating: 0xd0, count: 32)
    let challenge: Challenge

    /// An identity without a key, and its secrets.
    let classicIdentity: MPinIdentity
    let classicToken: [UInt8]
    let permit: [UInt8]

    /// An identity with a key, and its secrets.
    let identity: MPinIdentity
    let token: [UInt8]

    let clientSecretShares: (first: [UInt8], second: [UInt8])
    let permitShares: (first: [UInt8], second: [UInt8])
    let serverSecretShares: (first: [UInt8], second: [UInt8])
    let serverSecret: [UInt8]

    init() throws {
        func copy(_ bytes: Span<UInt8>) -> [UInt8] { bytes.indices.map { bytes[$0] } }
        let digits = Array("314159".utf8)
        pin = digits
        day = try EpochDay(20_000)
        time = try Timestamp(1_700_000_000)
        challenge = try .random()
        let first = try MasterSecret.random()
        let second = try MasterSecret.random()
        masterShares = (first.withBytes(copy), second.withBytes(copy))
        let key = try DVSPrivateKey.random()
        dvsKey = key.withBytes(copy)
        x = try MasterSecret.random().withBytes(copy)

        let mpinID = MPinID(Array("person@example.com".utf8))
        classicIdentity = MPinIdentity(mpinID)
        identity = MPinIdentity(mpinID, publicKey: key.publicKey)

        let classicSecret = try ClientSecret(
            combining: first.clientSecretShare(for: classicIdentity.hashed),
            second.clientSecretShare(for: classicIdentity.hashed))
        classicToken = try Token(
            extracting: PinFactor(digits: digits.span), from: classicSecret, for: classicIdentity
        ).withBytes(copy)

        let share1 = try first.clientSecretShare(for: identity.hashed)
        let share2 = try second.clientSecretShare(for: identity.hashed)
        clientSecretShares = (share1.withBytes(copy), share2.withBytes(copy))
        token = try Token(
            extracting: PinFactor(digits: digits.span),
            from: ClientSecret(combining: share1, share2, dvsKey: key), for: identity
        ).withBytes(copy)

        let permit1 = try first.timePermitShare(for: classicIdentity.hashed, on: day)
        let permit2 = try second.timePermitShare(for: classicIdentity.hashed, on: day)
        permitShares = (permit1.withBytes(copy), permit2.withBytes(copy))
        permit = try TimePermit(combining: permit1, permit2, day: day).withBytes(copy)

        let server1 = first.serverSecretShare()
        let server2 = second.serverSecretShare()
        serverSecretShares = (server1.withBytes(copy), server2.withBytes(copy))
        serverSecret = try ServerSecret(combining: server1, server2).withBytes(copy)
    }
}
