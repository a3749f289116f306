// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

extension Checks {
    static func identityToPoint(_ fields: VectorCase) throws {
        let hash = KnownAnswers.sha256(try fields.bytes("id"))
        try fields.expect("hash", hash)
        try fields.expect("hash", MPinIdentity(MPinID(fields.bytes("id"))).hashed.bytes)
        try fields.expect("x_start", KnownAnswers.reducedModuloP(hash))
        let (point, increments) = try KnownAnswers.map(hash)
        try fields.expect("point", point)
        try fields.expect("increments", increments)
    }

    static func mapToPoint(_ fields: VectorCase) throws {
        let (point, increments) = try KnownAnswers.map(fields.bytes("input"))
        try fields.expect("point", point)
        try fields.expect("increments", increments)
    }

    static func prefixedHash(_ fields: VectorCase) throws {
        let number = try fields.unsigned("n")
        let input = try fields.bytes("input")
        try fields.expect("hash", number == 0 ? KnownAnswers.sha256(input) : KnownAnswers.sha256(prefix: number, input))
    }

    static func multiplyG1(_ fields: VectorCase) throws {
        try fields.expect(
            "result", orInfinity: KnownAnswers.multiplyG1(fields.bytes("point"), by: fields.bytes("scalar")))
    }

    static func addG1(_ fields: VectorCase) throws {
        try fields.expect("sum", orInfinity: KnownAnswers.addG1(fields.bytes("a"), fields.bytes("b")))
    }

    static func multiplyG2(_ fields: VectorCase) throws {
        try fields.expect(
            "result", orInfinity: KnownAnswers.multiplyG2(fields.bytes("point"), by: fields.bytes("scalar")))
    }

    static func addG2(_ fields: VectorCase) throws {
        try fields.expect("sum", orInfinity: KnownAnswers.addG2(fields.bytes("a"), fields.bytes("b")))
    }

    static func pairingValue(_ fields: VectorCase) throws {
        try fields.expect("gt", KnownAnswers.pairing(fields.bytes("g1"), fields.bytes("g2")))
    }

    static func pairingProduct(_ fields: VectorCase) throws {
        var pairs: [(p: [UInt8], q: [UInt8])] = []
        for pair in try fields.objects("pairs") { pairs.append((try pair.bytes("g1"), try pair.bytes("g2"))) }
        try fields.expect("product_is_one", KnownAnswers.productIsOne(pairs))
    }
}
