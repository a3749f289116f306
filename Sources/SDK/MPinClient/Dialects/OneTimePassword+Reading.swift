// SPDX-License-Identifier: Apache-2.0

import LoginValues

extension OneTimePassword {
    /// Joins two replies: pass 2 has the digits, the `authenticate` request the times, in milliseconds
    /// (docs/protocol/milagro.md, section 7.1).
    ///
    /// - Returns: nil when pass 2 brought no digits.
    init?(_ ticket: LoginTicket, _ verdict: JSONObject) {
        guard let pass2 = try? JSONObject(ticket.reply), pass2.isPresent("OTP") else { return nil }
        guard let digits = try? pass2.secretText("OTP", counts: 4...16), digits.isDecimal,
            let expireTime = OneTimePassword.number(verdict, "expireTime"),
            let nowTime = OneTimePassword.number(verdict, "nowTime"),
            let ttlSeconds = OneTimePassword.number(verdict, "ttlSeconds")
        else {
            self.init(withoutDigits: .badReply)
            return
        }
        self.init(
            digits: digits,
            expires: Expiration(expireTimeSeconds: expireTime / 1000, nowTimeSeconds: nowTime / 1000),
            ttlSeconds: ttlSeconds)
    }

    /// A number, or one written as a text. Nil also for zero, which old servers write for none.
    private static func number(_ object: JSONObject, _ key: String) -> Int64? {
        guard let number = object.parameter(key).flatMap({ Int64($0) }), number > 0 else { return nil }
        return number
    }
}

extension SecretBytes {
    var isDecimal: Bool {
        withBytes { digits in digits.indices.allSatisfy { (0x30...0x39).contains(digits[$0]) } }
    }
}
