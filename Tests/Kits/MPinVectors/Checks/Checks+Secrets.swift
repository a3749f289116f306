// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

extension VectorCase {
    /// The number of a PIN in this case. The case names the limit; otherwise its client had 10 000 PINs.
    func pinNumber(_ name: String) throws(VectorError) -> UInt32 {
        let limit = has("maxpin") ? try unsigned("maxpin") : 10_000
        guard limit == 10_000 || limit == 1_000_000 else { throw VectorError("maxpin: neither 10000 nor 1000000") }
        return try unsigned(name) % limit
    }

    /// Compares a verdict with a field that says "accept" or "valid", or why the proof is refused.
    func expectVerdict(_ name: String, accepted: Bool) throws(VectorError) {
        let given = try string(name)
        let expected: Bool
        switch given {
        case "accept", "valid": expected = true
        case "reject", "invalid", "bad_pin": expected = false
        default: throw VectorError("\(name): unknown verdict \(given)")
        }
        guard expected == accepted else {
            throw VectorError("\(name): computed \(accepted ? "accepted" : "refused"), given \(given)")
        }
    }

    func expectVerdict(_ name: String, _ result: VerificationResult) throws(VectorError) {
        if try string(name) == "bad_pin", result != .wrongPIN {
            throw VectorError("\(name): computed \(result), given bad_pin")
        }
        try expectVerdict(name, accepted: result == .accepted)
    }

    /// Compares the verdicts on a proof by its parts, and on two such proofs verified together.
    func expectVerdict(_ name: String, of proof: TwoPassProof, by server: ServerSecret) throws(VectorError) {
        try expectVerdict(name, server.verify(proof))
        try expectVerdict(name, accepted: server.accepts(all: [proof, proof]))
    }

    /// Compares the PIN distance that the server finds with `pin_error_true`, if the case has it.
    func expectPinError(of proof: TwoPassProof, by server: ServerSecret) throws {
        guard has("pin_error_true") else { return }
        let pins = has("maxpin") ? try integer("maxpin") : 10_000
        guard let distance = try server.pinError(of: proof, within: pins - 1) else {
            throw VectorError("pin_error_true: none found")
        }
        try expect("pin_error_true", distance)
    }
}

extension Checks {
    /// The shares of the server secret that the case has, and their sum.
    static func serverSecret(_ fields: VectorCase) throws -> ServerSecret {
        let first = try MasterSecret(bytes: fields.bytes("master_share_1")).serverSecretShare()
        let second = try MasterSecret(bytes: fields.bytes("master_share_2")).serverSecretShare()
        if fields.has("server_secret_share_1") {
            try fields.expect("server_secret_share_1", first.withBytes(copied))
            try fields.expect("server_secret_share_2", second.withBytes(copied))
            _ = try ServerSecretShare(bytes: fields.bytes("server_secret_share_1"))
        }
        let secret = try ServerSecret(combining: first, second)
        try fields.expect("server_secret", secret.withBytes(copied))
        guard try ServerSecret(bytes: fields.bytes("server_secret")) == secret else {
            throw VectorError("server_secret: decodes to another value")
        }
        return secret
    }

    static func clientSecretShares(
        _ fields: VectorCase, identity: MPinIdentity
    ) throws -> (ClientSecretShare, ClientSecretShare) {
        let hashed = identity.hashed
        return (
            try MasterSecret(bytes: fields.bytes("master_share_1")).clientSecretShare(for: hashed),
            try MasterSecret(bytes: fields.bytes("master_share_2")).clientSecretShare(for: hashed)
        )
    }

    /// The token of the registered PIN, compared with the case.
    static func token(
        _ fields: VectorCase, pin: String, from secret: ClientSecret, for identity: MPinIdentity
    ) throws -> Token {
        let token = try Token(
            extracting: PinFactor(number: fields.pinNumber(pin)), from: secret, for: identity)
        try fields.expect("token", token.withBytes(copied))
        return token
    }

    static func copied(_ bytes: Span<UInt8>) -> [UInt8] { bytes.indices.map { bytes[$0] } }
}
