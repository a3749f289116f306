// SPDX-License-Identifier: Apache-2.0

import BackendValues
import MPinCrypto

/// A claimed user id that was, or will be, confirmed.
struct Verification: Codable, Sendable {
    static let lifetime = Duration.seconds(3600)

    let type: VerificationType
    /// The identity whose device made the code; nil for a mail's.
    var issuer: MPinID?
    /// The browser session in which it began.
    var accessID: String?
}

/// The way in which the user was verified, a part of the mpin_id. docs/protocol/miracl.md, section 2.
enum VerificationType: String, Codable, Sendable {
    case email = "em"
    /// A registration code, which another device of the same user made.
    case registrationCode = "rc"
    /// The relying party vouches for the user.
    case custom = "pv"
    /// An identity for signatures only, made by a login identity.
    case signing = "dvs"
}

/// The time until a user may ask for another mail. It doubles with each mail, and resets after a quiet hour.
package struct MailBackoff: Codable, Sendable {
    static let lifetime = Duration.seconds(3600)
    private static let first = 10
    private static let longest = 640

    package let sent: Int
    let next: WallTime

    init(after previous: MailBackoff?, now: WallTime) {
        let pause = min(Self.first << (previous?.sent ?? 0), Self.longest)
        sent = min((previous?.sent ?? 0) + 1, 6)
        next = now + .seconds(pause)
    }

    /// Whether the user has to wait. A time further away than any wait comes from a clock that was ahead, and is
    /// ignored.
    func holds(at now: WallTime) -> Bool { next > now && next <= now + .seconds(Self.longest) }
}
