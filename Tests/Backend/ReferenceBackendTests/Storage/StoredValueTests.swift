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
        for text in ["[\"AP8\"]", "[\"%%%%\"]", "[[0]]", "[256]", "[{}]", "[null]"] {
            #expect(throws: DecodingError.self) { try read(text, as: MPinID.self) }
        }
    }

    @Test(arguments: [false, true])
    func bothPassesComeBackAsTheyWent(hasAll: Bool) throws {
        let key = try DVSPrivateKey.random().publicKey
        let identity = hasAll ? MPinIdentity(MPinID([1]), publicKey: key) : MPinIdentity(MPinID([1]))
        let login = PendingLogin(
            passOne: PendingChallenge(
                identity: identity, commitment: StoredBytes(Self.point),
                permittedCommitment: hasAll ? StoredBytes(Self.point.reversed()) : nil,
                purpose: hasAll ? LoginPurpose(scope: .oidc, generation: .mfaV2) : nil, challenge: try .random()),
            response: StoredBytes(Self.point), days: hasAll ? [try EpochDay(1), try EpochDay(2)] : nil,
            accessCode: hasAll ? "code" : nil, oneTimePassword: hasAll ? "123456" : nil)
        let back = try #require(try read(try written(login), as: PendingLogin.self))
        #expect(back.mpinID == login.mpinID && back.passOne.identity == identity)
        #expect(back.passOne.challenge.bytes == login.passOne.challenge.bytes)
        #expect(back.passOne.commitment.bytes == Self.point)
        #expect(back.passOne.permittedCommitment?.bytes == login.passOne.permittedCommitment?.bytes)
        #expect(back.passOne.purpose?.generation == login.passOne.purpose?.generation)
        #expect(back.response.bytes == Self.point && back.days?.map(\.value) == (hasAll ? [1, 2] : nil))
        #expect(back.proofs?.map(\.day) == (hasAll ? [try EpochDay(1), try EpochDay(2)] : [nil]))
        #expect(back.accessCode == login.accessCode && back.oneTimePassword == login.oneTimePassword)
    }
}
