// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

/// A user id that is claimed and that was, or is to be, confirmed.
struct Verification: Codable, Sendable {
    static let lifetime = Duration.seconds(3600)

    let type: VerificationType
    /// The identity whose device made the code; nil for a mail's.
    var issuer: MPinID?
    /// The browser session that it began in.
    var accessID: String?
}

/// How it was made sure who registers; part of the mpin_id. MIRACL protocol, section 2.
enum VerificationType: String, Codable, Sendable {
    case email = "em"
    /// A code that another device of the same user issued.
    case registrationCode = "rc"
    /// The relying party vouches.
    case custom = "pv"
    /// An identity for signatures alone, which a login identity made.
    case signing = "dvs"
}

/// How long a user waits for another mail: twice as long after each one, forgotten after a quiet hour.
struct MailBackoff: Codable, Sendable {
    static let lifetime = Duration.seconds(3600)
    private static let first = 10
    private static let longest = 640

    let sent: Int
    let next: WallTime

    init(after previous: MailBackoff?, now: WallTime) {
        let pause = min(Self.first << (previous?.sent ?? 0), Self.longest)
        sent = min((previous?.sent ?? 0) + 1, 6)
        next = now + .seconds(pause)
    }

    /// A time that is further away than any wait is one of a clock that was ahead.
    func holds(at now: WallTime) -> Bool { next > now && next <= now + .seconds(Self.longest) }
}
