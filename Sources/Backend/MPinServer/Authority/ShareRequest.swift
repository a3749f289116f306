// SPDX-License-Identifier: Apache-2.0

package import BackendValues
package import Encoding
package import MPinCrypto

/// The signed queries that fetch shares from a D-TA. The RPS makes them, for itself or for a device. The D-TA
/// verifies them.
///
/// The signed text begins with the primitive's name instead of the URL's path, so that a D-TA may have any path.
/// docs/protocol/milagro.md, section 11.4. Permits differ: their signature covers the day and expires with it.
package struct ShareRequest: Sendable {
    private static let lifetime = Duration.seconds(60)

    /// The credentials that one D-TA and the RPS share.
    package let credentials: AppCredentials

    package init(credentials: AppCredentials) {
        self.credentials = credentials
    }

    /// The query that fetches client secret shares until 60 seconds from `now`.
    package func clientSecretQuery(for identity: HashedIdentity, mobile: Int64 = 1, now: WallTime) -> String {
        let expires = (now + Self.lifetime).zonedText
        let hash = Hexadecimal.text(identity.bytes)
        return FormFields.text([
            ("app_id", credentials.appID), ("expires", expires), ("hash_mpin_id", hash), ("hash_user_id", ""),
            ("mobile", String(mobile)),
            ("signature", credentials.signature(of: clientSecretText(hash: hash, hashedUser: "", expires: expires))),
        ])
    }

    /// The query that fetches the share of the server secret until 60 seconds from `now`.
    package func serverSecretQuery(now: WallTime) -> String {
        let expires = (now + Self.lifetime).zonedText
        return FormFields.text([
            ("app_id", credentials.appID), ("expires", expires),
            ("signature", credentials.signature(of: serverSecretText(expires: expires))),
        ])
    }

    /// The query that fetches the time permit share of one day. It names the day, so that a D-TA whose clock differs
    /// can say so. Devices send the signature only.
    package func timePermitQuery(for identity: HashedIdentity, on day: EpochDay) -> String {
        FormFields.text([
            ("app_id", credentials.appID), ("date", String(day.value)),
            ("hash_mpin_id", Hexadecimal.text(identity.bytes)), ("mobile", "1"),
            ("signature", timePermitSignature(for: identity, on: day)),
        ])
    }

    /// The signature that fetches time permit shares for one day.
    func timePermitSignature(for identity: HashedIdentity, on day: EpochDay) -> String {
        credentials.signature(of: timePermitText(hash: Hexadecimal.text(identity.bytes), day: day))
    }

    private func clientSecretText(hash: String, hashedUser: String, expires: String) -> String {
        "clientSecret" + credentials.appID + hash + hashedUser + expires
    }

    private func serverSecretText(expires: String) -> String { "serverSecret" + credentials.appID + expires }

    private func timePermitText(hash: String, day: EpochDay) -> String { "timePermit" + hash + String(day.value) }
}

/// Verification by a D-TA.
extension ShareRequest {
    /// Returns the identity whose client secret is asked for.
    /// - Throws: `Refusal` 403 for a missing or malformed field, 401 for a bad signature, 408 after the expiry.
    package func identity(ofClientSecret query: FormFields, now: WallTime) throws(Refusal) -> HashedIdentity {
        let hash = try Self.field("hash_mpin_id", of: query)
        let hashedUser = try Self.field("hash_user_id", of: query)
        let expires = try Self.field("expires", of: query)
        _ = try Self.field("app_id", of: query)
        _ = try Self.field("mobile", of: query)
        let signature = try Self.field("signature", of: query)
        let identity = try Self.hashedIdentity(hash)
        let text = clientSecretText(hash: hash, hashedUser: hashedUser, expires: expires)
        guard credentials.isSignature(signature, of: text) else { throw .invalidSignature }
        try Self.require(expires, now)
        return identity
    }

    /// - Throws: the errors of `identity(ofClientSecret:now:)`.
    package func requireServerSecret(_ query: FormFields, now: WallTime) throws(Refusal) {
        _ = try Self.field("app_id", of: query)
        let expires = try Self.field("expires", of: query)
        let signature = try Self.field("signature", of: query)
        guard credentials.isSignature(signature, of: serverSecretText(expires: expires)) else {
            throw .invalidSignature
        }
        try Self.require(expires, now)
    }

    /// Returns the identity and the day of a permit. The day is today or, during the first hour, yesterday.
    /// - Throws: `Refusal` 403 for a missing or malformed field, 401 for a bad signature; ``OtherDay`` for a good
    ///   signature for another day.
    package func identity(ofTimePermit query: FormFields, now: WallTime) throws -> (HashedIdentity, EpochDay) {
        let hash = try Self.field("hash_mpin_id", of: query)
        let signature = try Self.field("signature", of: query)
        let identity = try Self.hashedIdentity(hash)
        func isFor(_ day: EpochDay) -> Bool {
            credentials.isSignature(signature, of: timePermitText(hash: hash, day: day))
        }
        for day in try now.daysOfValidPermits where isFor(day) { return (identity, day) }
        let today = try now.day
        var others = (-Self.otherDays...Self.otherDays).compactMap { UInt32(exactly: Int64(today.value) + $0) }
        if let named = query["date"].flatMap({ UInt32($0) }) { others.append(named) }
        for number in others {
            if let day = try? EpochDay(number), isFor(day) { throw OtherDay(asked: day, here: today) }
        }
        throw Refusal.invalidSignature
    }

    /// The largest error of a clock, in days, for which a request that does not name its day differs from a forgery.
    private static var otherDays: Int64 { 7 }

    private static func require(_ expires: String, _ now: WallTime) throws(Refusal) {
        guard let expiry = WallTime(zonedText: expires) else { throw Refusal(403, "Invalid argument expires") }
        guard now <= expiry else { throw Refusal(408, "Request expired") }
    }

    private static func field(_ name: String, of query: FormFields) throws(Refusal) -> String {
        guard let value = query[name] else { throw Refusal(403, "Missing argument \(name)") }
        return value
    }

    private static func hashedIdentity(_ hash: String) throws(Refusal) -> HashedIdentity {
        guard let bytes = Hexadecimal.bytes(hash), let identity = try? HashedIdentity(bytes: bytes) else {
            throw Refusal(403, "Invalid argument hash_mpin_id")
        }
        return identity
    }
}

/// A good signature for the time permit of another day. The clock of the RPS or of the D-TA is wrong, or a device
/// sent an old request.
package struct OtherDay: Error {
    let asked: EpochDay
    let here: EpochDay

    package var refusal: Refusal {
        Refusal(
            401, "The request is for day \(asked.value) and here it is day \(here.value): compare the clocks")
    }
}

extension WallTime {
    /// The day of a time permit: whole days since 1970-01-01 UTC.
    var day: EpochDay {
        get throws(MPinCryptoError) { try EpochDay(UInt32(clamping: seconds.flooredQuotient(by: 86_400))) }
    }

    /// The days whose permits count now: today and, during the first hour of the UTC day, yesterday, for a login that
    /// began before midnight.
    var daysOfValidPermits: [EpochDay] {
        get throws(MPinCryptoError) {
            let today = try day
            let secondOfDay = seconds - Int64(today.value) * 86_400
            guard secondOfDay < 3600 else { return [today] }
            return [today, try EpochDay(today.value - 1)]
        }
    }
}
