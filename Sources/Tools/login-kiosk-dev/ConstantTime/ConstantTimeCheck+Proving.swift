// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

extension ConstantTimeCheck {
    /// Checks the client's computations with PIN and token, and the server's computations with its secret.
    static func proving(_ samples: Samples) -> [ConstantTimeCheck] {
        [
            ConstantTimeCheck(name: "PIN: decimal reading and token") {
                let digits = Taint.secret(samples.pin)
                try extract(PinFactor(digits: digits.span), samples)
            },
            ConstantTimeCheck(name: "PIN: reading by the last four digits") {
                let digits = Taint.secret(samples.pin)
                try extract(PinFactor(classicDigits: digits.span), samples)
            },
            ConstantTimeCheck(name: "PIN: string hash") {
                let digits = Taint.secret(samples.pin)
                try extract(PinFactor(stringHash: digits.span), samples)
            },
            ConstantTimeCheck(name: "change of the PIN") {
                let (old, new) = (Taint.secret(samples.pin), Taint.secret(Array(samples.pin.reversed())))
                let token = try Token(bytes: Taint.secret(samples.token))
                try Token(
                    changing: token, from: PinFactor(digits: old.span), to: PinFactor(digits: new.span),
                    for: samples.identity
                ).withBytes(use)
            },
            ConstantTimeCheck(name: "pass 1 and 2") {
                let attempt = try attempt(samples.identity, samples.token, permit: nil, samples)
                let commitment = attempt.commitment
                Taint.publish(commitment.u)
                let response = try attempt.respond(to: samples.challenge)
                Taint.publish(response)
                try expectAccepted(samples, samples.identity, commitment, day: nil, response)
            },
            ConstantTimeCheck(name: "pass 1 and 2, with a time permit") {
                let permit = try TimePermit(bytes: Taint.secret(samples.permit), day: samples.day)
                let attempt = try attempt(samples.classicIdentity, samples.classicToken, permit: permit, samples)
                let commitment = attempt.commitment
                Taint.publish(commitment.u)
                Taint.publish(commitment.ut ?? [])
                let response = try attempt.respond(to: samples.challenge)
                Taint.publish(response)
                try expectAccepted(samples, samples.classicIdentity, commitment, day: samples.day, response)
            },
            ConstantTimeCheck(name: "one-pass proof") {
                let attempt = try attempt(samples.classicIdentity, samples.classicToken, permit: nil, samples)
                let proof = try OnePassProof.make(from: attempt, timestamp: samples.time)
                Taint.publish(proof.u)
                Taint.publish(proof.v)
                let verdict = try ServerSecret(bytes: samples.serverSecret).verify(
                    onePass: proof, identity: samples.classicIdentity, day: nil)
                guard verdict == .accepted else { throw CheckError.wrongResult }
            },
            ConstantTimeCheck(name: "signature") {
                let attempt = try attempt(samples.identity, samples.token, permit: nil, samples)
                let signature = try DocumentSignature.make(
                    from: attempt, message: samples.documentHash, timestamp: samples.time)
                Taint.publish(signature.u)
                Taint.publish(signature.v)
                let verdict = try ServerSecret(bytes: samples.serverSecret).verify(
                    signature: signature, documentHash: samples.documentHash, identity: samples.identity)
                guard verdict == .accepted else { throw CheckError.wrongResult }
            },
            ConstantTimeCheck(name: "verification with a secret server secret") {
                let attempt = try AuthenticationAttempt(
                    identity: samples.identity, token: Token(bytes: samples.token),
                    pin: PinFactor(digits: samples.pin.span), permit: nil)
                let commitment = attempt.commitment
                let response = try attempt.respond(to: samples.challenge)
                let verdict = try ServerSecret(bytes: Taint.secret(samples.serverSecret)).verify(
                    TwoPassProof(
                        identity: samples.identity, commitment: commitment.u, ut: nil, day: nil,
                        challenge: samples.challenge, response: response))
                guard verdict == .accepted else { throw CheckError.wrongResult }
            },
        ]
    }

    private static func extract(_ pin: borrowing PinFactor, _ samples: Samples) throws {
        let secret = try ClientSecret(bytes: Taint.secret(samples.clientSecretShares.first))
        try Token(extracting: pin, from: secret, for: samples.identity).withBytes(use)
    }

    /// Pass 1 with all of a client's secrets marked.
    private static func attempt(
        _ identity: MPinIdentity, _ token: [UInt8], permit: TimePermit?, _ samples: Samples
    ) throws -> AuthenticationAttempt {
        let digits = Taint.secret(samples.pin)
        return try AuthenticationAttempt(
            identity: identity, token: Token(bytes: Taint.secret(token)), pin: PinFactor(digits: digits.span),
            permit: permit, ephemeral: Taint.secret(samples.x))
    }

    /// Checks that the watched computation gave an accepted proof.
    private static func expectAccepted(
        _ samples: Samples, _ identity: MPinIdentity, _ commitment: Pass1Commitment, day: EpochDay?,
        _ response: [UInt8]
    ) throws {
        let verdict = try ServerSecret(bytes: samples.serverSecret).verify(
            TwoPassProof(
                identity: identity, commitment: commitment.u, ut: commitment.ut, day: day,
                challenge: samples.challenge, response: response))
        guard verdict == .accepted else { throw CheckError.wrongResult }
    }
}
