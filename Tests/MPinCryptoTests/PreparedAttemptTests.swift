// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import MPinCrypto

/// Pass 1 that is made before the PIN is there.
struct PreparedAttemptTests {
    /// What is made in two steps is what is made in one.
    @Test(arguments: [false, true])
    func isTheSamePass1(hasPermit: Bool) throws {
        let registration = try Registration()
        let permit = hasPermit ? try registration.permit(of: TwoPassTests.alice, on: EpochDay(20_000)) : nil
        let token = try registration.token(of: TwoPassTests.alice, pin: "1234")
        let x = [UInt8](repeating: 0, count: 31) + [7]
        let whole = try AuthenticationAttempt(
            identity: TwoPassTests.alice, token: token, pin: PinFactor("1234"), permit: permit, ephemeral: x)
        let prepared = try PreparedAttempt(
            identity: TwoPassTests.alice, permit: permit, x: Wiped(Fr(decodingOwn: x.span)))
        #expect(prepared.commitment == whole.commitment)
        #expect((prepared.commitment.ut != nil) == hasPermit)
        let challenge = try Challenge.random()
        let answer = try prepared.completed(token: token, pin: PinFactor("1234")).respond(to: challenge)
        #expect(try answer == whole.respond(to: challenge))
    }

    @Test(arguments: [("1234", VerificationResult.accepted), ("1235", .wrongPIN)])
    func isJudgedByThePINThatComesLater(pin: String, expected: VerificationResult) throws {
        let registration = try Registration()
        let token = try registration.token(of: TwoPassTests.alice, pin: "1234")
        let prepared = try PreparedAttempt(identity: TwoPassTests.alice, permit: nil)
        let u = prepared.commitment.u
        let challenge = try Challenge.random()
        let v = try prepared.completed(token: token, pin: PinFactor(pin)).respond(to: challenge)
        let verdict = registration.server.verify(
            identity: TwoPassTests.alice, commitment: u, ut: nil, day: nil, challenge: challenge, response: v)
        #expect(verdict == expected)
    }

    /// Another's token proves nothing, and two x are never the same.
    @Test
    func belongsToOneIdentityAndOneProof() throws {
        let registration = try Registration()
        let token = try registration.token(of: TwoPassTests.bob, pin: "1234")
        let prepared = try PreparedAttempt(identity: TwoPassTests.alice, permit: nil)
        let other = try PreparedAttempt(identity: TwoPassTests.alice, permit: nil)
        #expect(prepared.identity == TwoPassTests.alice)
        #expect(prepared.commitment != other.commitment)
        let u = prepared.commitment.u
        let challenge = try Challenge.random()
        let v = try prepared.completed(token: token, pin: PinFactor("1234")).respond(to: challenge)
        for claimed in [TwoPassTests.alice, TwoPassTests.bob] {
            #expect(
                registration.server.verify(
                    identity: claimed, commitment: u, ut: nil, day: nil, challenge: challenge, response: v)
                    == .wrongPIN)
        }
    }
}
