// SPDX-License-Identifier: Apache-2.0

package import BackendValues
package import Logging

/// The mail that warns an owner of many wrong PINs: only the owner knows whether they were his own.
package struct FailureWarning: Sendable {
    let outbox: Outbox
    let siteName: String
    let clock: any WallClock

    package init(outbox: Outbox, siteName: String, clock: any WallClock) {
        self.outbox = outbox
        self.siteName = siteName
        self.clock = clock
    }

    /// - Parameter count: within thirty days.
    package func send(to userID: String, _ count: Int, _ logger: Logger) async {
        do {
            let words = PageWords.current
            let notice = MailNotice(
                kind: .wrongPINs, subject: words.plain(.mailPINsSubject),
                sentences: [
                    words.plain(.mailPINs, ["count": "\(count)", "user": userID, "site": siteName]),
                    words.plain(.mailYou), words.plain(.mailPINsCopy),
                ])
            try await outbox.send(
                ActivationMail(recipient: userID, siteName: siteName, content: .notice(notice), sent: clock.now))
        } catch {
            // The verdict is written, and the device gets it.
            logger.error("a mail about wrong PINs was not sent", metadata: ["error": "\(type(of: error))"])
        }
    }
}
