// SPDX-License-Identifier: Apache-2.0

package import BackendValues
package import Logging

/// Mails that inform owners of their logins. A user gets a few an hour. Further logins are counted and reported in the
/// next mail. No login waits for a mail.
package struct LoginMails: Sendable {
    static let mailsAnHour = 5
    private static let hour = Duration.seconds(3600)
    /// The time that counted logins wait for the next mail.
    private static let remembered = Duration.seconds(7 * 86_400)

    private struct Told: Codable, Sendable {
        var hourEnds: WallTime
        var mails = 0
        /// Logins since the last mail.
        var counted = 0
    }

    private let outbox: Outbox
    private let siteName: String
    private let networks: NetworkPlaces
    private let told: any VolatileTable<String, Told>
    private let clock: any WallClock
    private let logger: Logger

    package init(
        outbox: Outbox, siteName: String, networks: NetworkPlaces, in storage: any VolatileStorage,
        clock: any WallClock, logger: Logger
    ) {
        (self.outbox, self.siteName, self.networks) = (outbox, siteName, networks)
        (self.clock, self.logger) = (clock, logger)
        told = storage.table("mails of logins", bounds: TableQuota(capacity: 10_000))
    }

    /// - Parameter browser: the location of the browser that was logged in; nil for none.
    func send(to userID: String, browser: BrowserLocation?) async {
        do {
            let now = clock.now
            guard let (earlier, isLast) = try await counts(userID, now) else { return }
            let words = PageWords.current
            let device = networks.description(of: .current)
            var sentences = [
                words.plain(.mailLogin, ["user": userID, "site": siteName, "time": now.zonedText]),
                words.plain(device.word, ["place": device.place]) + " " + words.plain(Self.word(for: browser)),
            ]
            if earlier > 0 { sentences.append(words.plain(.mailMoreLogins, ["count": "\(earlier)"])) }
            if isLast { sentences.append(words.plain(.mailLastOfHour)) }
            sentences.append(words.plain(.mailTellService))
            let notice = MailNotice(kind: .login, subject: words.plain(.mailLoginSubject), sentences: sentences)
            try await outbox.send(
                ActivationMail(recipient: userID, siteName: siteName, content: .notice(notice), sent: now))
        } catch {
            logger.warning("a login is not reported by mail", metadata: ["error": "\(type(of: error))"])
        }
    }

    /// - Returns: number of unreported logins, and whether this mail is the last of the hour; nil when this login
    ///   gets none.
    private func counts(
        _ userID: String, _ now: WallTime
    ) async throws(StorageError) -> (earlier: Int, isLast: Bool)? {
        try await told.change(userID, now: now) { entry -> (earlier: Int, isLast: Bool)? in
            var told = entry?.value ?? Told(hourEnds: now + Self.hour)
            if told.hourEnds <= now { (told.hourEnds, told.mails) = (now + Self.hour, 0) }
            defer { entry = TableEntry(value: told, expires: now + Self.remembered) }
            guard told.mails < Self.mailsAnHour else {
                told.counted += 1
                return nil
            }
            defer { told.counted = 0 }
            told.mails += 1
            return (told.counted, told.mails == Self.mailsAnHour)
        }
    }

    private static func word(for browser: BrowserLocation?) -> PageWord {
        switch browser {
        case .same: .mailBrowserHere
        case .other: .mailBrowserElsewhere
        case .unknown: .mailBrowserSomewhere
        case nil: .mailNoBrowser
        }
    }
}
