// SPDX-License-Identifier: Apache-2.0

@testable import Encoding
import LoginValues
@testable import MPinClient
@testable import MPinCrypto

extension FuzzTarget {
    /// Text of replies: JSON by both readers, dates, waits, refusals.
    static let json = FuzzTarget(name: "json", longest: 70_000) { input in
        let status = [200, 401, 403, 408, 410, 412, 429, 503][input.number(below: 8)]
        let (bytes, text) = (input.rest, input.text)
        let secret = SecretBytes(copying: bytes)
        if let value = JSONValue(reading: bytes) { _ = "\(value)" }
        _ = try? JSONObject(secret)
        _ = ServerRefusal(secret)
        _ = ServerSentence.read(secret, hiding: SecretBytes(copying: Array("7a65de7b".utf8)))
        _ = HTTPDate.seconds(text)
        let header = String(decoding: bytes.prefix(200), as: UTF8.self)
        let response = HTTPResponse(
            status: status, headers: [HTTPHeader("Retry-After", header), HTTPHeader("Date", header)], body: secret)
        if let wait = RetryAfter.wait(response, deviceTime: { 1_795_694_400 }) {
            expect(wait >= RetryAfter.shortest, "a client always pauses")
        }
    }

    /// Points, scalars and proofs, as a peer sends them. What is read is written in the same bytes, and no proof of
    /// chance is accepted.
    static let points = FuzzTarget(name: "points") { input in
        let kind = input.byte() % 6
        let bytes = input.rest
        switch kind {
        case 0: if let share = try? ClientSecretShare(bytes: bytes) { same(bytes, share.withBytes(array)) }
        case 1: if let share = try? ServerSecretShare(bytes: bytes) { same(bytes, share.withBytes(array)) }
        case 2: _ = try? DVSPublicKey(bytes: bytes)
        case 3: if let token = try? Token(bytes: bytes) { same(bytes, token.withBytes(array)) }
        case 4: _ = try? Challenge(bytes: bytes)
        default:
            guard let server = secret, bytes.count >= 2 * 65 + 32,
                let challenge = try? Challenge(bytes: Array(bytes[130..<162]))
            else { return }
            let result = server.verify(
                TwoPassProof(
                    identity: MPinIdentity(MPinID(Array("{}".utf8))), commitment: Array(bytes[..<65]), ut: nil,
                    day: nil, challenge: challenge, response: Array(bytes[65..<130])))
            expect(result != .accepted, "no proof is accepted without the token")
        }
    }

    private static func array(_ bytes: Span<UInt8>) -> [UInt8] { bytes.indices.map { bytes[$0] } }

    private static func same(_ left: [UInt8], _ right: [UInt8]) { expect(left == right, "a point has one encoding") }

    private static let secret: ServerSecret? = {
        var one = [UInt8](repeating: 0, count: 31) + [5]
        guard let a = try? MasterSecret(bytes: one) else { return nil }
        one[31] = 6
        guard let b = try? MasterSecret(bytes: one) else { return nil }
        return try? ServerSecret(combining: a.serverSecretShare(), b.serverSecretShare())
    }()
}
