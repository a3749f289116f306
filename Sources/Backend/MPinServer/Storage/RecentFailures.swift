// SPDX-License-Identifier: Apache-2.0

/// When the latest wrong PINs of an identity were typed. Three in a row block it; but a copied card is tried twice
/// between each two logins of its owner, and so they are counted over thirty days as well.
package struct RecentFailures: Equatable, Sendable {
    private static let window = Duration.seconds(30 * 86_400)
    /// At as many the owner gets a mail.
    static let warning = 6
    /// At as many the device has to take a new secret, which makes copies worthless. An identity of the classic
    /// dialects, which cannot, is blocked.
    static let renewal = 20
    /// At as many one that has not taken it is blocked as well.
    static let block = 30
    /// No more are kept.
    static let capacity = 32
    /// Of one of them, in bytes.
    static let length = 8

    /// Milliseconds since 1970, big endian, the oldest first.
    package private(set) var bytes: [UInt8] = []

    package init(bytes: [UInt8] = []) { self.bytes = bytes }

    private var times: [WallTime] {
        stride(from: 0, to: bytes.count - Self.length + 1, by: Self.length).map { start in
            WallTime(milliseconds: bytes[start..<start + Self.length].reduce(0) { $0 << 8 | Int64($1) })
        }
    }

    /// As a storage keeps so many more of one moment.
    static func bytes(of count: Int64, at time: WallTime) -> [UInt8] {
        let one = stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: time.milliseconds >> Int64($0)) }
        return (0..<min(max(count, 0), Int64(capacity))).flatMap { _ in one }
    }

    mutating func add(_ more: [UInt8]) { bytes = Array((bytes + more).suffix(Self.capacity * Self.length)) }

    /// Within thirty days before `now`; those of a clock that was ahead count, too.
    func count(at now: WallTime) -> Int { times.count { $0 + Self.window > now } }

    /// Those since `start`; nil for all. And the last of them; nil when there is none.
    func since(_ start: WallTime?) -> WrongPINs? {
        let found = times.filter { time in start.map { time > $0 } ?? true }
        return found.last.map { WrongPINs(count: found.count, last: $0) }
    }
}

/// The wrong PINs between two logins, as the device hears of them.
struct WrongPINs: Equatable, Sendable {
    let count: Int
    let last: WallTime

    /// A member of the final reply. Clients that do not know it read over it.
    var members: [String: JSONValue] {
        ["wrongPins": .object(["count": .integer(Int64(count)), "last": .integer(last.seconds)])]
    }
}

extension LoginVerdict {
    /// With what the wrong PINs of thirty days have as their consequence, this one included.
    ///
    /// - Parameter before: the identity before the verdict.
    func judged(of before: RegisteredIdentity) -> LoginVerdict {
        var (verdict, failures) = (self, before.recentFailures)
        failures.add(RecentFailures.bytes(of: wrong, at: time))
        let count = failures.count(at: time)
        guard wrong > 0, count >= RecentFailures.renewal else { return verdict }
        verdict.mustRenew = before.canRenew
        let isTooMuch = !before.canRenew || count >= RecentFailures.block
        if !isRight, isTooMuch {
            verdict.blocking = max(RegisteredIdentity.maximumFailures - before.failures - wrong, 0)
        }
        return verdict
    }

    /// How many there were within thirty days when this one made it enough for a mail; nil for every other one.
    ///
    /// - Parameter after: the identity after the verdict.
    func warning(of after: RegisteredIdentity) -> Int? {
        let count = after.recentFailures.count(at: time)
        let before = count - Int(wrong)
        let isEnough = [RecentFailures.warning, RecentFailures.renewal].contains { before < $0 && $0 <= count }
        return isEnough ? count : nil
    }
}
