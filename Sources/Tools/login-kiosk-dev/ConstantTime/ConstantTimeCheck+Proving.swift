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
                try prove(samples.identity, samples.token, permit: nil, samples)
            },
            ConstantTimeCheck(name: "pass 1 and 2, with a time permit") {
                let permit = try TimePermit(bytes: Taint.secret(samples.permit), day: samples.day)
                try prove(samples.classicIdentity, samples.classicToken, permit: permit, samples)
            },
            ConstantTimeCheck(name: "one-pass proof") {
                let attempt = try attempt(samples.classicIdentity, samples.classicToken, permit: nil, samples)
                let proof = try OnePassProof.make(from: attempt, timestamp: samples.time)
                Taint.publish(proof.u)
                Taint.publish(proof.v)
                try expectAccepted(
                    ServerSecret(bytes: samples.serverSecret).verify(
                        onePass: proof, identity: samples.classicIdentity, day: nil))
            },
            ConstantTimeCheck(name: "signature") {
                let attempt = try attempt(samples.identity, samples.token, permit: nil, samples)
                let signature = try DocumentSignature.make(
                    from: attempt, message: samples.documentHash, timestamp: samples.time)
                Taint.publish(signature.u)
                Taint.publish(signature.v)
                try expectAccepted(
                    ServerSecret(bytes: samples.serverSecret).verify(
                        signature: signature, documentHash: samples.documentHash, identity: samples.identity))
            },
            ConstantTimeCheck(name: "verification with a secret server secret") {
                let attempt = try AuthenticationAttempt(
                    identity: samples.identity, token: Token(bytes: samples.token),
                    pin: PinFactor(digits: samples.pin.span), permit: nil)
                let commitment = attempt.commitment
                let response = try attempt.respond(to: samples.challenge)
                try expectAccepted(
                    ServerSecret(bytes: Taint.secret(samples.serverSecret)).verify(
                        TwoPassProof(
                            identity: samples.identity, commitment: commitment.u, ut: nil, day: nil,
                            challenge: samples.challenge, response: response)))
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

    /// Both passes.
    private static func prove(
        _ identity: MPinIdentity, _ token: [UInt8], permit: TimePermit?, _ samples: Samples
    ) throws {
        let attempt = try attempt(identity, token, permit: permit, samples)
        let commitment = attempt.commitment
        Taint.publish(commitment.u)
        Taint.publish(commitment.ut ?? [])
        let response = try attempt.respond(to: samples.challenge)
        Taint.publish(response)
        try expectAccepted(
            ServerSecret(bytes: samples.serverSecret).verify(
                TwoPassProof(
                    identity: identity, commitment: commitment.u, ut: commitment.ut, day: permit?.day,
                    challenge: samples.challenge, response: response)))
    }

    /// Checks that the watched computation gave a right proof.
    private static func expectAccepted(_ verdict: VerificationResult) throws {
        guard verdict == .accepted else { throw CheckError.wrongResult }
    }
}
