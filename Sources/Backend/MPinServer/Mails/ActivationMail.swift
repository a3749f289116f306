// SPDX-License-Identifier: Apache-2.0

package import BackendValues
import Encoding

/// A mail to the owner of a user id. It asks to confirm a registration, or reports what happened.
package struct ActivationMail: Codable, Sendable {
    package let recipient: String
    let siteName: String
    package let content: Content
    package let sent: WallTime
    /// A tag of BCP 47, the language of the request that caused the mail.
    let language: String

    package init(recipient: String, siteName: String, content: Content, sent: WallTime) {
        self.recipient = recipient
        self.siteName = siteName
        self.content = content
        self.sent = sent
        language = PageWords.current.language
    }

    /// A link to the page with the button that confirms a registration.
    package init(confirming recipient: String, at mount: some SiteMount, isAgain: Bool, link: String, sent: WallTime) {
        self.init(
            recipient: recipient, siteName: mount.site.name,
            content: .confirmation(Confirmation(isAgain ? .again : .registration, link: link)), sent: sent)
    }

    package enum Content: Codable, Sendable {
        case confirmation(Confirmation)
        case notice(MailNotice)
    }

    /// A code to type at the device that asked for it, a link, or both. The page behind a link alone has a button; that
    /// behind a link with a code shows the code and a picture for the device's camera.
    package struct Confirmation: Codable, Sendable {
        package enum Occasion: Codable, Sendable {
            case registration
            /// A registration of a user who has an identity: for a new PIN, or on another device.
            case again
            /// A new PIN for the identity that the device has.
            case newPIN
        }

        package var occasion: Occasion
        package var code: String?
        package var link: String?

        package init(_ occasion: Occasion, code: String? = nil, link: String? = nil) {
            (self.occasion, self.code, self.link) = (occasion, code, link)
        }
    }

    package var kind: MailKind { notice == nil ? .registration : .notice }

    /// Whether the mail is still of use. Its link or code expires after an hour.
    package func counts(at time: WallTime) -> Bool { notice != nil || time < sent + .seconds(3600) }

    private var notice: MailNotice? { if case .notice(let notice) = content { notice } else { nil } }

    private var words: PageWords { .named(language) }

    package var subject: String {
        switch content {
        case .confirmation(let confirmation): words.plain(confirmation.subject)
        case .notice(let notice): notice.subject
        }
    }

    package var text: String {
        switch content {
        case .confirmation(let confirmation):
            """
            \(words.plain(confirmation.sentence, ["user": recipient, "site": siteName]))
            \(confirmation.ways.map { "\(words.plain($0.question))\n\n\($0.answer)\n\n" }.joined())\
            \(words.plain(.mailNotYou))
            """
        case .notice(let notice): notice.text
        }
    }

    package var html: String {
        let body: String
        switch content {
        case .confirmation(let confirmation):
            let gaps = [
                "user": "<strong>\(HTMLText.escaped(recipient))</strong>", "site": HTMLText.escaped(siteName),
            ]
            let ways = confirmation.ways.map { way in
                let answer = HTMLText.escaped(way.answer)
                let shown =
                    way.link.map { #"<a href="\#(answer)">\#(words($0))</a>"# } ?? "<strong>\(answer)</strong>"
                return "<p>\(words(way.question))</p>\n<p>\(shown)</p>\n"
            }
            body = "<p>\(words(confirmation.sentence, gaps))</p>\n\(ways.joined())<p>\(words(.mailNotYou))</p>"
        case .notice(let notice): body = notice.html
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
        case .confirmation(let confirmation):
            members["link"] = confirmation.link.map { .string($0) }
            members["code"] = confirmation.code.map { .string($0) }
        case .notice(let notice): if let link = notice.link { members["link"] = .string(link.url) }
        }
        return JSONObject(members)
    }
}

extension ActivationMail.Confirmation {
    var subject: PageWord {
        switch occasion {
        case .registration: .mailConfirmSubject
        case .again: .mailAgainSubject
        case .newPIN: .mailNewPINSubject
        }
    }

    /// The sentence that names the request.
    var sentence: PageWord {
        switch occasion {
        case .registration: .mailRegistered
        case .again: .mailAgain
        case .newPIN: .mailNewPIN
        }
    }

    /// A request of the mail, with the code or link that answers it.
    struct Way {
        let question: PageWord
        let answer: String
        /// The words of a link; nil for a code.
        var link: PageWord?
    }

    var ways: [Way] {
        let typed = code.map { Way(question: .mailTypeCode, answer: $0) }
        let opened = link.map {
            code == nil
                ? Way(question: .mailOpenPage, answer: $0, link: .mailConfirmLink)
                : Way(question: .mailOrShowPicture, answer: $0, link: .mailPictureLink)
        }
        return [typed, opened].compactMap { $0 }
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
