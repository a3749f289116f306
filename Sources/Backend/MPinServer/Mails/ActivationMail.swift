// SPDX-License-Identifier: Apache-2.0

/// A mail to the owner of a user id. It asks to confirm a registration, or tells what happened.
package struct ActivationMail: Codable, Sendable {
    package let recipient: String
    let siteName: String
    package let content: Content
    package let sent: WallTime
    /// A tag of BCP 47, the language of the request that caused the mail.
    var language = PageWords.current.language

    package init(
        recipient: String, siteName: String, content: Content, sent: WallTime,
        language: String = PageWords.current.language
    ) {
        self.recipient = recipient
        self.siteName = siteName
        self.content = content
        self.sent = sent
        self.language = language
    }

    /// A way to confirm, or a notice.
    package enum Content: Codable, Sendable {
        case link(String)
        /// A code to type on the device that asked for it, to choose a new PIN for the identity that it has.
        case code(String)
        case notice(MailNotice)
    }

    package var kind: MailKind { notice == nil ? .registration : .notice }

    /// Whether the mail is still of use. Its link or code expires after an hour.
    package func counts(at time: WallTime) -> Bool { notice != nil || time < sent + .seconds(3600) }

    private var notice: MailNotice? { if case .notice(let notice) = content { notice } else { nil } }

    private var words: PageWords { .named(language) }

    package var subject: String {
        switch content {
        case .link: words.plain(.mailConfirmSubject)
        case .code: words.plain(.mailNewPINSubject)
        case .notice(let notice): notice.subject
        }
    }

    /// The sentence that names the request.
    private var occasion: PageWord { if case .code = content { .mailNewPIN } else { .mailRegistered } }

    package var text: String {
        func asking(_ question: PageWord, _ answer: String) -> String {
            """
            \(words.plain(occasion, ["user": recipient, "site": siteName]))
            \(words.plain(question))

            \(answer)

            \(words.plain(.mailNotYou))
            """
        }
        return switch content {
        case .link(let link): asking(.mailOpenPage, link)
        case .code(let code): asking(.mailTypeCode, code)
        case .notice(let notice): notice.text
        }
    }

    package var html: String {
        func asking(_ question: PageWord, _ answer: String) -> String {
            let gaps = [
                "user": "<strong>\(HTMLText.escaped(recipient))</strong>", "site": HTMLText.escaped(siteName),
            ]
            return """
                <p>\(words(occasion, gaps))</p>
                <p>\(words(question))</p>
                <p>\(answer)</p>
                <p>\(words(.mailNotYou))</p>
                """
        }
        let body =
            switch content {
            case .link(let link):
                asking(.mailOpenPage, #"<a href="\#(HTMLText.escaped(link))">\#(words(.mailConfirmLink))</a>"#)
            case .code(let code): asking(.mailTypeCode, "<strong>\(HTMLText.escaped(code))</strong>")
            case .notice(let notice): notice.html
            }
        return """
            <!DOCTYPE html>
            <html lang="\(language)"><body>
            \(body)
            </body></html>
            """
    }

    /// The mail as the outbox shows it to programs.
    package var summary: JSONObject {
        var members: [String: JSONValue] = [
            "to": .string(recipient), "subject": .string(subject), "date": .string(sent.zonedText),
            "text": .string(text), "html": .string(html), "language": .string(language),
        ]
        switch content {
        case .link(let link): members["link"] = .string(link)
        case .code(let code): members["code"] = .string(code)
        case .notice(let notice): if let link = notice.link { members["link"] = .string(link.url) }
        }
        return JSONObject(members)
    }
}

/// The two kinds of mails: strangers cause those about a registration.
package enum MailKind: Sendable {
    case registration, notice
}

/// The result of an attempt to send a mail.
package enum MailOutcome: String, Sendable, CaseIterable {
    case sent, deferred, dropped
}
