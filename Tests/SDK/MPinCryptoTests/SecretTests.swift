// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import MPinCrypto

/// Secrets do not show in any output, and are wiped.
struct SecretTests {
    /// Expects that two values of a secret print the same.
    private func expectNoContent<Secret>(_ a: Secret, _ b: Secret) {
        for show in ways {
            let (first, second) = (show(a), show(b))
            #expect(first == second)
            #expect(first.contains("secret"), "\(Secret.self): \(first)")
        }
        expectNoContent(in: Mirror(reflecting: a))
    }

    private let ways: [(Any) -> String] = [
        { String(describing: $0) }, { String(reflecting: $0) }, { "\($0)" },
        { value in
            var text = ""
            dump(value, to: &text)
            return text
        },
    ]

    /// Expects that no mirror shows a number.
    private func expectNoContent(in mirror: Mirror) {
        for child in mirror.children where !(child.value is EpochDay) {
            #expect(!(child.value is any BinaryInteger))
            #expect(!(child.value is Limbs))
            expectNoContent(in: Mirror(reflecting: child.value))
        }
    }

    @Test
    func nothingShows() throws {
        let a = [UInt8](G1.generator.encoded)
        let b = [UInt8](try #require(G1.generator.projective.doubled.affine).encoded)
        try expectNoContent(ClientSecretShare(bytes: a), ClientSecretShare(bytes: b))
        try expectNoContent(ClientSecret(bytes: a), ClientSecret(bytes: b))
        try expectNoContent(TimePermitShare(bytes: a), TimePermitShare(bytes: b))
        try expectNoContent(TimePermit(bytes: a, day: EpochDay(1)), TimePermit(bytes: b, day: EpochDay(1)))
        try expectNoContent(Token(bytes: a), Token(bytes: b))
        let c = [UInt8](G2.generator.encoded)
        let d = [UInt8](try #require(G2.generator.projective.doubled.affine).encoded)
        try expectNoContent(ServerSecretShare(bytes: c), ServerSecretShare(bytes: d))
        try expectNoContent(ServerSecret(bytes: c), ServerSecret(bytes: d))
        // Types that cannot be copied cannot be printed either. These are their parts.
        expectNoContent(Wiped(Fr.one), Wiped(Fr.zero))
        expectNoContent(Wiped<UInt32>(1), Wiped<UInt32>(2))
    }

    @Test
    func nothingStays() {
        var limbs = Limbs(1, 2, 3, 4)
        cleanse(&limbs)
        #expect(limbs == .zero)
        var bytes = InlineArray<65, UInt8>(repeating: 7)
        cleanse(&bytes)
        #expect(bytes.indices.allSatisfy { bytes[$0] == 0 })
    }

    @Test
    func equality() {
        #expect(Wiped(Fr.one) == Wiped(Fr.one))
        #expect(Wiped(Fr.one) != Wiped(-Fr.one))
    }

    @Test
    func randomScalarsDiffer() throws {
        let scalars = try (0..<50).map { _ in try Wiped<Fr>.random().value }
        for scalar in scalars {
            #expect(!scalar.isZero)
            #expect(scalars.count { $0 == scalar } == 1)
        }
    }
}
