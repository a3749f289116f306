// SPDX-License-Identifier: Apache-2.0

/// How long a user waits for another mail: twice as long after each one, forgotten after a quiet hour.
struct MailBackoff: Sendable {
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
}
