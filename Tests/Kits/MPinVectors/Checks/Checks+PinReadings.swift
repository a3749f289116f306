// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

extension Checks {
    static func pinReadings(_ fields: VectorCase) throws {
        let identity = MPinIdentity(MPinID(try fields.bytes("id")))
        let secret = try ClientSecret(bytes: fields.bytes("client_secret"))
        let pin = Array(try fields.string("pin").utf8)

        var hash: Int32 = 0
        for byte in pin { hash = hash &* 31 &+ Int32(Int8(bitPattern: byte)) }
        try fields.expect("string_hash31", Int(hash))
        if fields.has("c_remainder_10000") { try fields.expect("c_remainder_10000", Int(hash % 10_000)) }
        try expect(fields, "sdkcore_hash", PinFactor(stringHash: pin.span), secret, identity)

        let isPIN =
            (4...6).contains(pin.count) && pin.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard isPIN else {
            // Only four to six digits are a PIN. The hash accepts any text.
            do throws(MPinCryptoError) {
                _ = try PinFactor(digits: pin.span)
            } catch .pinNotFourToSixDigits {
                return
            }
            throw VectorError("pin: taken although it is not four to six digits")
        }
        if let number = Int(try fields.string("pin")) { try fields.expect("numeric", number) }
        try expect(fields, "maxpin_1e4", PinFactor(classicDigits: pin.span), secret, identity)
        try expect(fields, "maxpin_1e6", PinFactor(digits: pin.span), secret, identity)
    }

    /// Compares one reading with the case's factor and token.
    private static func expect(
        _ fields: VectorCase, _ reading: String, _ factor: borrowing PinFactor, _ secret: ClientSecret,
        _ identity: MPinIdentity
    ) throws {
        let computed = try Token(extracting: factor, from: secret, for: identity)
        try fields.expect("token_" + reading, computed.withBytes(copied))
        let named = try Token(
            extracting: PinFactor(number: fields.unsigned("factor_" + reading)), from: secret, for: identity)
        guard named == computed else { throw VectorError("factor_\(reading): makes another token") }
    }
}
