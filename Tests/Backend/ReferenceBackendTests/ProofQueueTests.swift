// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Dispatch
import MPinCrypto
import Patience
import Synchronization
import Testing

@testable import MPinServer
@testable import ReferenceBackend

/// Proofs that are looked at together, and what each of them is told. One after the other, because a scripted look
/// holds a thread.
@Suite(.serialized) struct ProofQueueTests {
    private static let response = [UInt8](repeating: 4, count: 65)

    /// A proof that tells its number, and whether it is right, by its parts.
    private static func proof(_ number: UInt8, isRight: Bool = true) throws -> TwoPassProof {
        TwoPassProof(
            identity: MPinIdentity(MPinID([number])), commitment: isRight ? [1] : [0], ut: nil, day: nil,
            challenge: try .random(), response: response)
    }

    /// Remembers what it was asked together and alone. The first look lasts until `isOpen`.
    private final class ScriptedVerifier: ProofVerifier {
        enum Look: Equatable {
            case alone(UInt8)
            case together([UInt8])
        }

        private let looks = Mutex<[Look]>([])
        private let gate = DispatchSemaphore(value: 0)

        var all: [Look] { looks.withLock { $0 } }

        func open() { gate.signal() }

        private func note(_ look: Look) {
            let isFirst = looks.withLock { looks in
                looks.append(look)
                return looks.count == 1
            }
            if isFirst { _ = gate.wait(timeout: .now() + .seconds(60)) }
        }

        func verify(_ proof: TwoPassProof) -> VerificationResult {
            note(.alone(proof.identity.mpinID.bytes[0]))
            return proof.commitment == [1] ? .accepted : .wrongPIN
        }

        func accepts(all proofs: [TwoPassProof]) -> Bool {
            note(.together(proofs.map { $0.identity.mpinID.bytes[0] }))
            return proofs.allSatisfy { $0.commitment == [1] }
        }

        func verify(signature: DocumentSignature, documentHash: [UInt8], identity: MPinIdentity) -> VerificationResult {
            .wrongPIN
        }
    }

    /// The first is looked at while the others come, one after the other.
    private func verdicts(
        of count: UInt8, wrong: Set<UInt8> = [], by verifier: ScriptedVerifier
    ) async throws -> [UInt8: Bool] {
        let queue = ProofQueue(verifier: verifier)
        let proofs = try (0..<count).map { try Self.proof($0, isRight: !wrong.contains($0)) }
        return try await withThrowingTaskGroup(of: (UInt8, Bool).self) { group in
            for (index, proof) in proofs.enumerated() {
                group.addTask { (UInt8(index), await queue.isRight(proof)) }
                try await Patience.until { index == 0 ? verifier.all.count == 1 : queue.waitingCount == index }
            }
            verifier.open()
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }

    @Test func aProofThatIsAloneWaitsForNothing() async throws {
        let verifier = ScriptedVerifier()
        verifier.open()
        #expect(await ProofQueue(verifier: verifier).isRight(try Self.proof(1)))
        #expect(verifier.all == [.alone(1)])
    }

    @Test
    func whatComesMeanwhileIsOneGroup() async throws {
        let verifier = ScriptedVerifier()
        let verdicts = try await verdicts(of: 20, by: verifier)
        #expect(verdicts.count == 20 && verdicts.values.allSatisfy(\.self))
        #expect(verifier.all == [.alone(0), .together(Array(1...16)), .together([17, 18, 19])])
    }

    /// One that is wrong costs its group a look at each. No other is told a wrong verdict.
    @Test
    func aWrongOneIsFoundAmongOthers() async throws {
        let verifier = ScriptedVerifier()
        let verdicts = try await verdicts(of: 30, wrong: [5], by: verifier)
        #expect(verdicts == Dictionary(uniqueKeysWithValues: (0..<30).map { ($0, $0 != 5) }))
        let each = [ScriptedVerifier.Look.together(Array(1...16))] + (2...16).map { .alone($0) } + [.alone(1)]
        #expect(verifier.all == [.alone(0)] + each + [.together(Array(17...29))])
    }

    @Test
    func noneIsToldRightWhereAllAreWrong() async throws {
        let verifier = ScriptedVerifier()
        let verdicts = try await verdicts(of: 20, wrong: Set(0..<20), by: verifier)
        #expect(verdicts.count == 20 && !verdicts.values.contains(true))
    }

    /// With the arithmetic itself: each of many at once has the verdict that it has alone.
    @Test
    func verdictsAreThoseOfEachAlone() async throws {
        let issuer1 = try MasterSecret.random()
        let issuer2 = try MasterSecret.random()
        let server = try ServerSecret(combining: issuer1.serverSecretShare(), issuer2.serverSecretShare())
        let proofs = try (0..<24).map { index in
            let identity = MPinIdentity(MPinID(Array("person \(index)".utf8)))
            let secret = try ClientSecret(
                combining: issuer1.clientSecretShare(for: identity.hashed),
                issuer2.clientSecretShare(for: identity.hashed))
            let (right, typed) = (Array("1234".utf8), Array((index % 6 == 5 ? "1235" : "1234").utf8))
            let attempt = try AuthenticationAttempt(
                identity: identity,
                token: Token(extracting: PinFactor(digits: right.span), from: secret, for: identity),
                pin: PinFactor(digits: typed.span), permit: nil)
            let (commitment, challenge) = (attempt.commitment, try Challenge.random())
            return TwoPassProof(
                identity: identity, commitment: commitment.u, ut: nil, day: nil, challenge: challenge,
                response: try attempt.respond(to: challenge))
        }
        let queue = ProofQueue(verifier: server)
        let verdicts = await withTaskGroup(of: (Int, Bool).self, returning: [Int: Bool].self) { group in
            for (index, proof) in proofs.enumerated() {
                group.addTask { (index, await queue.isRight(proof)) }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        #expect(verdicts == Dictionary(uniqueKeysWithValues: proofs.indices.map { ($0, $0 % 6 != 5) }))
    }
}
