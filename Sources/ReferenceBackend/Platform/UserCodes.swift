// SPDX-License-Identifier: Apache-2.0

/// One-time codes of users. Long ones cannot be guessed. The wrong tries of a short one belong to it and live as long
/// as it does: a user who waits for no code has none that a stranger could use up.
///
/// Tries count by address, so that a stranger does not spend those of the person. All strangers together have as many
/// as leave a guess of six digits next to worthless; the address that the code was made for has its own in any case.
struct UserCodes<Value: Sendable>: Sendable {
    static var triesOfOneAddress: Int { 5 }
    static var triesOfStrangers: Int { 100 }

    private struct ShortCode: Sendable {
        let code: String
        let value: Value
        let expires: WallTime
        /// Where it was asked for.
        let address: ClientAddress
        var tries: [ClientAddress: Int] = [:]

        func admits(_ address: ClientAddress) -> Bool {
            guard tries[address, default: 0] < UserCodes.triesOfOneAddress else { return false }
            if address == self.address { return true }
            return tries.lazy.filter { $0.key != self.address }.map(\.value).reduce(0, +) < UserCodes.triesOfStrangers
        }
    }

    private var long = ExpiringTable<UserCode, Value>()
    /// Those of each user: few, because each takes a mail or a login.
    private var short = ExpiringTable<String, [ShortCode]>()

    /// - Parameter owner: whose memory it takes.
    /// - Throws: `Refusal` 429, 503 when there is no room for the owner's.
    mutating func insert(
        _ value: Value, for code: UserCode, of owner: EntryOwner, expires: WallTime, now: WallTime
    ) throws(Refusal) {
        guard code.isShort else { return try long.insert(value, for: code, of: owner, expires: expires, now: now) }
        let known = (short.value(for: code.userID, now: now) ?? []).filter { $0.expires > now && $0.code != code.code }
        let new = ShortCode(code: code.code, value: value, expires: expires, address: .current)
        let end = known.map(\.expires).reduce(expires) { max($0, $1) }
        try short.insert(known.suffix(3) + [new], for: code.userID, of: owner, expires: end, now: now)
    }

    /// What `code` stands for, once. A wrong short one is a try at every short code of that user.
    mutating func take(_ code: UserCode, now: WallTime) -> Value? {
        guard code.isShort else { return long.remove(code, now: now) }
        var found: Value?
        short.update(code.userID, now: now) { codes in
            let place = codes.firstIndex { $0.code == code.code && $0.expires > now && $0.admits(.current) }
            if let place { found = codes.remove(at: place).value } else { Self.countTry(at: &codes) }
        }
        return found
    }

    private static func countTry(at codes: inout [ShortCode]) {
        for place in codes.indices where codes[place].admits(.current) {
            codes[place].tries[.current, default: 0] += 1
        }
    }
}
