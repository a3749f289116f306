// SPDX-License-Identifier: Apache-2.0

import BackendValues
import Encoding

/// The times of an identity's latest wrong PINs. Three in a row block it. A thief with a copied card may try two
/// between two logins of its owner, so wrong PINs are counted over thirty days as well.
package struct RecentFailures: Equatable, Sendable {
    private static let window = Duration.seconds(30 * 86_400)
    /// Number of wrong PINs after which the owner gets a mail.
    static let warning = 6
    /// Number after which the device has to take a new secret, which makes copies worthless. An identity of the classic
    /// dialects is blocked instead.
    static let renewal = 20
    /// Number after which an identity that has not taken it is blocked.
    static let block = 30
    /// Number of stored times.
    static let capacity = 32
    /// Bytes of one time.
    static let length = 8

    /// Milliseconds since 1970, big endian, the oldest first.
    package private(set) var bytes: [UInt8] = []

    package init(bytes: [UInt8] = []) { self.bytes = bytes }

    private var times: [WallTime] {
        stride(from: 0, to: bytes.count - Self.length + 1, by: Self.length).map { start in
            WallTime(milliseconds: bytes[start..<start + Self.length].reduce(0) { $0 << 8 | Int64($1) })
        }
    }

    /// The bytes of `count` wrong PINs at one time.
    static func bytes(of count: Int64, at time: WallTime) -> [UInt8] {
        let one = stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: time.milliseconds >> Int64($0)) }
        return (0..<min(max(count, 0), Int64(capacity))).flatMap { _ in one }
    }

    mutating func add(_ more: [UInt8]) { bytes = Array((bytes + more).suffix(Self.capacity * Self.length)) }

    /// Number within thirty days before `now`, including those of a clock that was ahead.
    func count(at now: WallTime) -> Int { times.count { $0 + Self.window > now } }

    /// The wrong PINs since `start`, nil for all; nil when there are none.
    func since(_ start: WallTime?) -> WrongPINs? {
        let found = times.filter { time in start.map { time > $0 } ?? true }
        return found.last.map { WrongPINs(count: found.count, last: $0) }
    }
}

/// The wrong PINs between two logins, for the device.
struct WrongPINs: Equatable, Sendable {
    let count: Int
    let last: WallTime

    /// A member of the final reply. Clients that do not know it ignore it.
    var members: [String: JSONValue] {
        ["wrongPins": .object(["count": .integer(Int64(count)), "last": .integer(last.seconds)])]
    }
}

extension LoginVerdict {
    /// Returns the verdict with the consequences of thirty days' wrong PINs, including this one.
    /// - Parameter before: the identity before the verdict.
    func withThirtyDayRule(for before: RegisteredIdentity) -> LoginVerdict {
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

    /// Number of wrong PINs within thirty days if this one makes the owner get a mail; nil if it does not.
    /// - Parameter after: the identity after the verdict.
    func warning(of after: RegisteredIdentity) -> Int? {
        let count = after.recentFailures.count(at: time)
        let before = count - Int(wrong)
        let isEnough = [RecentFailures.warning, RecentFailures.renewal].contains { before < $0 && $0 <= count }
        return isEnough ? count : nil
    }
}
