// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Foundation
import MPinCrypto
import Testing

@testable import MPinServer
@testable import ReferenceBackend

/// The protocol's values as they leave the process, and as another process reads them.
struct StoredValueTests {
    private static let point = (0..<65).map { UInt8($0) }

    private func written(_ value: some Encodable) throws -> String {
        String(decoding: try JSONEncoder().encode([value]), as: UTF8.self)
    }

    private func read<Value: Decodable>(_ text: String, as _: Value.Type = Value.self) throws -> Value? {
        try JSONDecoder().decode([Value].self, from: Data(text.utf8)).first
    }

    @Test
    func bytesAreText() throws {
        #expect(try written(MPinID([0, 255, 62])) == "[\"AP8+\"]")
        #expect(try read("[\"AP8+\"]") == MPinID([0, 255, 62]))
        #expect(try read("[\"\"]") == MPinID([]))
        for text in ["[\"AP8\"]", "[\"%%%%\"]", "[256]", "[{}]", "[null]"] {
            #expect(throws: DecodingError.self) { try read(text, as: MPinID.self) }
        }
    }

    /// The form of the previous version, whose processes run on during an update.
    @Test
    func listsOfNumbersAreRead() throws {
        #expect(try read("[[0,255,62]]") == MPinID([0, 255, 62]))
        #expect(try read("[[[1,2]]]") == MPinIdentity(MPinID([1, 2])))
        let sevens = Array(repeating: "7", count: 32).joined(separator: ",")
        let challenge = try #require(try read("[[\(sevens)]]", as: Challenge.self))
        #expect(challenge.bytes == Array(repeating: 7, count: 32))
        let second = try #require(try read("[{\"response\":[1,2],\"days\":[20000]}]", as: PassTwo.self))
        #expect(second.response == [1, 2] && second.days?.map(\.value) == [20_000])
    }

    @Test(arguments: [false, true])
    func bothPassesComeBackAsTheyWent(hasAll: Bool) throws {
        let key = try DVSPrivateKey.random().publicKey
        let identity = hasAll ? MPinIdentity(MPinID([1]), publicKey: key) : MPinIdentity(MPinID([1]))
        let login = PendingLogin(
            passOne: PendingChallenge(
                commitments: Commitments(
                    identity: identity, plain: Self.point, permitted: hasAll ? Self.point.reversed() : nil,
                    purpose: hasAll ? LoginPurpose(scope: .oidc, generation: .mfaV2) : nil),
                challenge: try .random()),
            passTwo: PassTwo(
                response: Self.point, days: hasAll ? [try EpochDay(1), try EpochDay(2)] : nil,
                accessCode: hasAll ? "code" : nil, oneTimePassword: hasAll ? "123456" : nil))
        let back = try #require(try read(try written(login), as: PendingLogin.self))
        #expect(back.mpinID == login.mpinID && back.passOne.commitments.identity == identity)
        #expect(back.passOne.challenge.bytes == login.passOne.challenge.bytes)
        #expect(back.passOne.commitments.plain == Self.point)
        #expect(back.passOne.commitments.permitted == login.passOne.commitments.permitted)
        #expect(back.passOne.commitments.purpose?.generation == login.passOne.commitments.purpose?.generation)
        #expect(back.passTwo.response == Self.point && back.passTwo.days?.map(\.value) == (hasAll ? [1, 2] : nil))
        #expect(back.accessCode == login.accessCode && back.oneTimePassword == login.oneTimePassword)
    }
}
