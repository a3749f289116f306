// SPDX-License-Identifier: Apache-2.0

import LoginValues

extension OneTimePassword {
    /// Reads a password or a code with its times from one reply (docs/protocol/miracl.md, section 11). Servers may
    /// leave out a time that follows from the others, and the unit of times is inferred.
    ///
    /// - Returns: nil when the reply brought no digits.
    init?(platform object: JSONObject) {
        guard let key = Inferred.digitsKeys.first(where: { object.isPresent($0) }) else { return nil }
        let now = OneTimePassword.time(object, "nowTime")
        guard let digits = try? object.secretText(key, counts: 4...16), digits.isDecimal,
            let end = OneTimePassword.time(object, "expireTime"),
            let ttlSeconds = object.parameter("ttlSeconds").flatMap({ Int64($0) }) ?? now.map({ end - $0 }),
            ttlSeconds > 0, now != nil || end > ttlSeconds
        else {
            self.init(withoutDigits: .badReply)
            return
        }
        self.init(
            digits: digits,
            expires: Expiration(expireTimeSeconds: end, nowTimeSeconds: now ?? end - ttlSeconds),
            ttlSeconds: ttlSeconds)
    }

    /// A time after 1970, so that a difference of two cannot overflow.
    private static func time(_ object: JSONObject, _ key: String) -> Int64? {
        guard let time = (try? object.time(key)).flatMap({ $0 }), time > 0 else { return nil }
        return Inferred.seconds(time)
    }
}
