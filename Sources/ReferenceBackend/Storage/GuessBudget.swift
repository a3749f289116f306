// SPDX-License-Identifier: Apache-2.0

/// How many wrong guesses strangers have within a time: by address, and all together. What is right costs nothing.
struct GuessBudget: Sendable {
    let perAddress: Int
    /// After as many in all, each address has one guess alone: an attacker with many addresses gets little more than
    /// these, and who guesses nothing does not notice.
    let inTotal: Int
    let period: Duration

    private var guesses = ExpiringTable<ClientAddress, Int>(capacity: 4096)
    private var total = 0
    private var totalEnds: WallTime?

    init(perAddress: Int, inTotal: Int = .max, period: Duration) {
        self.perAddress = perAddress
        self.inTotal = inTotal
        self.period = period
    }

    /// Whether what comes from `address` is looked at.
    func admits(_ address: ClientAddress, now: WallTime) -> Bool {
        let isShort = totalEnds.map { $0 > now } == true && total >= inTotal
        return (guesses.value(for: address, now: now) ?? 0) < (isShort ? 1 : perAddress)
    }

    /// When `address` may guess again.
    func end(for address: ClientAddress) -> WallTime? { guesses.expiry(of: address) }

    mutating func count(from address: ClientAddress, now: WallTime) {
        if totalEnds.map({ $0 <= now }) ?? true { (total, totalEnds) = (0, now + period) }
        total += 1
        if guesses.value(for: address, now: now) == nil {
            guesses.insert(1, for: address, expires: now + period, now: now)
        } else {
            guesses.update(address, now: now) { $0 += 1 }
        }
    }
}
