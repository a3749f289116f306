// SPDX-License-Identifier: Apache-2.0

import BackendValues
import MPinServer

/// The pages of the site. All text from outside is escaped here and nowhere else.
struct Pages: Sendable {
    /// The query in the address of a login page that reloads itself.
    static let waiting = "wait"

    /// The path prefix of the site's pages, with a slash at both ends.
    let root: String
    /// The site's name; empty on pages of operators and developers.
    var site = ""
    var words = PageWords.english

    /// - Parameters:
    ///   - picture: makes the picture's address new, so that no cache shows an old code. It has no meaning.
    ///   - code: the code to type instead of showing the picture.
    func login(picture: String, code: String?) -> String {
        page(
            words(.logIn),
            """
            <p>\(words(.holdCode))</p>
            \(codeLine(code))\
            <img id="qr" src="\(root)qr.png?\(picture)" alt="\(words(.picture))">
            \(statusLine)
            <p><a href="\(root)">\(words(.newCode))</a></p>
            <script src="\(root)page.js" data-root="\(root)" data-next="\(root)protected"></script>
            """, head: #"<noscript><meta http-equiv="refresh" content="5; url=\#(root)?\#(Self.waiting)"></noscript>"#)
    }

    /// The line with the code. It is above the picture, where small screens show it too.
    func codeLine(_ code: String?) -> String {
        code.map {
            let code = "<code id=\"code\">\(HTMLText.escaped($0))</code>"
            return "<p>\(words(.orType, ["code": code]))</p>\n"
        } ?? ""
    }

    /// The line with the login's progress, which the script updates.
    var statusLine: String {
        let sentences: [(name: String, word: PageWord)] = [
            ("new", .statusNew), ("scanned", .statusScanned), ("user", .statusUser), ("declined", .statusDeclined),
            ("expired", .statusNoSession), ("silent", .statusSilent),
        ]
        let data = sentences.map { "data-\($0.name)=\"\(words($0.word))\"" }.joined(separator: "\n")
        return "<p id=\"status\" role=\"status\" aria-live=\"polite\"\n\(data)></p>"
    }

    func home(user: String) -> String {
        page(
            words(.loggedIn),
            """
            <p>\(words(.loggedInAs, named(user)))</p>
            <p><a href="\(root)protected">\(words(.protectedPage))</a></p>
            \(logoutForm)
            """)
    }

    func protected(user: String) -> String {
        page(
            words(.welcome),
            """
            <p>\(words(.hello, named(user)))</p>
            \(logoutForm)
            """)
    }

    func loginNeeded() -> String {
        page(
            words(.loginNeededTitle), #"<p>\#(words(.loginNeeded)) <a href="\#(root)">\#(words(.logIn))</a></p>"#)
    }

    /// The page with the logout button. Opening its address logs nobody out.
    func logout() -> String { page(words(.logOut), logoutForm) }

    func activation(_ link: ActivationLink) -> String {
        page(
            words(.confirmTitle),
            """
            <p>\(words(link.isAgain ? .confirmAgainQuestion : .confirmQuestion, named(user(of: link))))</p>
            <form method="post" action="\(root)mpinActivate">
            \(HTMLText.hidden(link.fields))
            <button type="submit">\(words(.confirm))</button>
            </form>
            """)
    }

    func activated(_ link: ActivationLink) -> String {
        page(words(.confirmedTitle), "<p>\(words(.confirmed, named(user(of: link))))</p>")
    }

    func activationFailed() -> String { page(words(.notConfirmedTitle), "<p>\(words(.notConfirmed))</p>") }

    /// The page behind the link in a mail about a new device.
    func revocation(_ link: RevocationLink) -> String {
        page(
            words(.endTitle),
            """
            <p>\(words(.endQuestion, named(link.userID ?? "")))</p>
            <form method="post" action="\(root)revoke">
            \(HTMLText.hidden(link.fields))
            <p><button type="submit">\(words(.endNew))</button></p>
            <p><button type="submit" name="all" value="1">\(words(.endAll))</button> \(words(.endAllHelp))</p>
            </form>
            """)
    }

    func revoked(_ count: Int) -> String {
        page(words(.endedTitle), "<p>\(words(.ended, ["count": "\(count)"]))</p>")
    }

    func revocationFailed() -> String { page(words(.notEndedTitle), "<p>\(words(.notEnded))</p>") }

    /// The page behind a verification link. It changes nothing: the device that scans the link registers.
    func verification(_ content: VerificationPage) -> String {
        let user = named(content.link.userID)
        let typed = content.typedCode.map { "<strong id=\"code\">\(HTMLText.escaped($0))</strong>" }
        let instruction =
            if let typed {
                "<p>\(words(.verifyType, user.merging(["code": typed]) { $1 }))</p>\n<p>\(words(.verifyShow))</p>"
            } else {
                "<p>\(words(.verify, user))</p>"
            }
        return page(
            words(.verifyTitle),
            """
            \(instruction)
            <img id="qr" src="\(root)verification/qr.png?\(HTMLText.escaped(content.link.query))" \
            alt="\(words(.picture))">
            <p>\(words(.verifyNotYou))</p>
            """)
    }

    /// An error page.
    /// - Parameter status: the answer's status.
    func trouble(_ status: Int) -> String {
        let (title, sentence): (PageWord, PageWord) =
            switch status {
            case 404: (.notFoundTitle, .notFound)
            case 429, 500...: (.busyTitle, .busy)
            default: (.brokenTitle, .broken)
            }
        return page(
            words(title), #"<p>\#(words(sentence)) <a href="\#(root)">\#(words(.toLogin))</a></p>"#)
    }

    func outbox(_ mails: [ActivationMail]) -> String {
        let items = mails.map { mail in
            """
            <li><strong>\(HTMLText.escaped(mail.recipient))</strong>, \(mail.sent.zonedText): \
            \(HTMLText.escaped(mail.subject))<br>
            \(outboxLine(mail.content))</li>
            """
        }
        let list = mails.isEmpty ? "<p>No mails yet.</p>" : "<ul>\n" + items.joined(separator: "\n") + "\n</ul>"
        return page("Outbox", list)
    }

    private func outboxLine(_ content: ActivationMail.Content) -> String {
        switch content {
        case .confirmation(let confirmation):
            [confirmation.code.map { "<strong>\(HTMLText.escaped($0))</strong>" }, confirmation.link.map(outboxLink)]
                .compactMap { $0 }.joined(separator: "<br>\n")
        case .notice(let notice):
            (notice.sentences.map { HTMLText.escaped($0) } + (notice.link.map { [outboxLink($0.url)] } ?? []))
                .joined(separator: "<br>\n")
        }
    }

    private func outboxLink(_ link: String) -> String {
        #"<a href="\#(HTMLText.escaped(link))">\#(HTMLText.escaped(link))</a>"#
    }

    /// A user id as a sentence's gap.
    private func named(_ userID: String) -> [String: String] {
        ["user": "<strong id=\"user\">\(HTMLText.escaped(userID))</strong>"]
    }

    /// The user id that an mpin_id claims, for the page that asks whether it is right.
    private func user(of link: ActivationLink) -> String {
        MPinIDText.userID(in: link.mpinID) ?? words.plain(.unreadableUser)
    }

    private var logoutForm: String { logoutForm(at: root + "logout") }

    func logoutForm(at path: String) -> String {
        #"<form method="post" action="\#(path)"><button type="submit">\#(words(.logOut))</button></form>"#
    }

    /// - Parameters:
    ///   - title: safe for element content.
    ///   - head: further content of the head.
    func page(_ title: String, _ body: String, head: String = "") -> String {
        let site = HTMLText.escaped(site)
        return words.page(
            title + (site.isEmpty ? "" : " – " + site), style: root + "page.css", icon: root + "logo.svg", head: head,
            body: """
                \(site.isEmpty ? "" : "<p id=\"site\">" + site + "</p>\n")\
                <h1>\(title)</h1>
                \(body)
                """)
    }
}

extension Pages {
    /// The pages of one endpoint.
    init(at mount: any SiteMount) { self.init(root: mount.root, site: mount.site.name) }
}
