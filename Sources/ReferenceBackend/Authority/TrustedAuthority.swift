// SPDX-License-Identifier: Apache-2.0

import MPinCrypto
import Synchronization

/// One D-TA: it holds half of the master secret and answers signed requests. It sees hashes, never a user id.
/// Milagro protocol, section 11.4.
final class TrustedAuthority: Sendable {
    private let master: MasterSecret
    private let requests: ShareRequest
    private let clock: any WallClock
    /// A share is the same all day, and every login asks for it.
    private let permitShares = Mutex(ExpiringTable<PermitDay, TimePermitShare>(capacity: 4096))

    init(master: consuming MasterSecret, credentials: AppCredentials, clock: any WallClock) {
        self.master = master
        requests = ShareRequest(credentials: credentials)
        self.clock = clock
    }

    /// Half of what the RPS verifies with. Asked for inside the process only, so there is no request for it.
    func serverSecretShare() -> ServerSecretShare { master.serverSecretShare() }

    /// Half of a client secret.
    /// - Throws: `Refusal` 403 for a missing or malformed field, 401 for a bad signature, 408 after the expiry.
    func clientSecretShare(query: FormFields) throws -> ClientSecretShare {
        let hash = try field("hash_mpin_id", of: query)
        let hashedUser = try field("hash_user_id", of: query)
        let expires = try field("expires", of: query)
        _ = try field("app_id", of: query)
        _ = try field("mobile", of: query)
        let signature = try field("signature", of: query)
        let identity = try hashedIdentity(hash)
        let text = requests.clientSecretText(hash: hash, hashedUser: hashedUser, expires: expires)
        guard requests.credentials.isSignature(signature, of: text) else { throw Refusal.invalidSignature }
        guard let expiry = WallTime(zonedText: expires) else { throw Refusal(403, "Invalid argument expires") }
        guard clock.now <= expiry else { throw Refusal(408, "Request expired") }
        return try master.clientSecretShare(for: identity)
    }

    /// Half of a time permit, for the day that the signature is for: today, or yesterday during the first hour.
    /// - Throws: `Refusal` 403 for a missing or malformed field, 401 for a signature of no such day.
    func timePermitShare(query: FormFields) throws -> TimePermitShare {
        let hash = try field("hash_mpin_id", of: query)
        let signature = try field("signature", of: query)
        let identity = try hashedIdentity(hash)
        for day in try clock.now.daysOfValidPermits
        where requests.credentials.isSignature(signature, of: requests.timePermitText(hash: hash, day: day)) {
            return try timePermitShare(for: identity, on: day)
        }
        throw Refusal.invalidSignature
    }

    /// Half of the time permit of one day, for the RPS.
    func timePermitShare(for identity: HashedIdentity, on day: EpochDay) throws -> TimePermitShare {
        let key = PermitDay(identity: identity, day: day)
        let now = clock.now
        if let known = permitShares.withLock({ $0.value(for: key, now: now) }) { return known }
        let share = try master.timePermitShare(for: identity, on: day)
        permitShares.withLock { $0.insert(share, for: key, expires: now + Self.permitLifetime, now: now) }
        return share
    }

    private struct PermitDay: Hashable { let identity: HashedIdentity, day: EpochDay }

    /// A day, and the hour in which yesterday's counts.
    private static let permitLifetime = Duration.seconds(25 * 3600)

    private func field(_ name: String, of query: FormFields) throws -> String {
        guard let value = query[name] else { throw Refusal(403, "Missing argument \(name)") }
        return value
    }

    private func hashedIdentity(_ hash: String) throws -> HashedIdentity {
        guard let bytes = Hexadecimal.bytes(hash), let identity = try? HashedIdentity(bytes: bytes) else {
            throw Refusal(403, "Invalid argument hash_mpin_id")
        }
        return identity
    }
}

extension WallTime {
    /// Whole days since 1970-01-01 UTC: the day a time permit is for.
    var day: EpochDay {
        get throws(MPinCryptoError) { try EpochDay(UInt32(clamping: seconds.flooredQuotient(by: 86_400))) }
    }

    /// The days whose permits count at this moment: today, and during the first hour of the UTC day yesterday as well,
    /// for a person whose login began before midnight.
    var daysOfValidPermits: [EpochDay] {
        get throws(MPinCryptoError) {
            let today = try day
            let secondOfDay = seconds - Int64(today.value) * 86_400
            guard secondOfDay < 3600 else { return [today] }
            return [today, try EpochDay(today.value - 1)]
        }
    }
}
