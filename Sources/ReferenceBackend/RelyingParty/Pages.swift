// SPDX-License-Identifier: Apache-2.0

/// The pages of the site. Whatever came from outside is escaped here and nowhere else.
struct Pages: Sendable {
    /// The path that the site's pages are below, with a slash at both ends.
    let root: String

    /// - Parameters:
    ///   - number: makes the picture's address new, so that no cache shows yesterday's code. It says nothing.
    ///   - code: what may be typed instead of showing the picture.
    func login(number: UInt64, code: String?) -> String {
        page(
            "Log in",
            """
            <p>Log in with the kiosk: hold this code to its camera and type your PIN there.</p>
            <img id="qr" src="\(root)qr.png?\(number)" alt="QR code for the kiosk">
            \(codeLine(code))\
            <p id="status" role="status" aria-live="polite"></p>
            <p><a href="\(root)">Show a new code</a> &middot; \
            <a href="\(root)login">Log in by OpenID Connect</a> &middot; \
            <a href="\(IndexPage.path)">All dialects</a></p>
            <script src="\(root)page.js" data-root="\(root)" data-next="\(root)protected"></script>
            """)
    }

    func codeLine(_ code: String?) -> String {
        code.map { "<p>Or type this code there: <code id=\"code\">\(HTMLText.escaped($0))</code></p>\n" } ?? ""
    }

    func home(user: String) -> String {
        page(
            "Logged in",
            """
            <p>You are logged in as <strong id="user">\(HTMLText.escaped(user))</strong>.</p>
            <p><a href="\(root)protected">The protected page</a></p>
            \(logoutForm)
            """)
    }

    func protected(user: String) -> String {
        page(
            "Welcome",
            """
            <p>Hello, <strong id="user">\(HTMLText.escaped(user))</strong>. \
            Only people who are logged in see this page.</p>
            \(logoutForm)
            """)
    }

    func loginNeeded() -> String {
        page("Not logged in", #"<p>This page is for people who are logged in. <a href="\#(root)">Log in</a></p>"#)
    }

    /// What an address alone does not do.
    func logout() -> String { page("Log out", logoutForm) }

    func activation(_ link: ActivationLink) -> String {
        let fields = link.fields.map {
            #"<input type="hidden" name="\#($0.name)" value="\#(HTMLText.escaped($0.value))">"#
        }
        return page(
            "Confirm the registration",
            """
            <p>Was it you who registered <strong id="user">\(user(of: link))</strong>?</p>
            <form method="post" action="\(root)mpinActivate">
            \(fields.joined(separator: "\n"))
            <button type="submit">Yes, confirm</button>
            </form>
            """)
    }

    func activated(_ link: ActivationLink) -> String {
        page(
            "Confirmed",
            """
            <p><strong id="user">\(user(of: link))</strong> is confirmed. Go back to the kiosk and choose a PIN.</p>
            """)
    }

    func activationFailed() -> String {
        page(
            "Not confirmed",
            "<p>This link is not valid, not valid any more, or was used. Ask the kiosk for another mail.</p>")
    }

    /// A verification link does nothing by itself: the device that scans it registers.
    func verification(_ code: UserCode) -> String {
        page(
            "Register on the kiosk",
            """
            <p>Hold this code to the camera of the kiosk to register \
            <strong id="user">\(HTMLText.escaped(code.userID))</strong>.</p>
            <img id="qr" src="\(root)verification/qr.png?\(HTMLText.escaped(code.query))" alt="QR code for the kiosk">
            <p>If it was not you who registered, close this page.</p>
            """)
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
        case .link(let link): #"<a href="\#(HTMLText.escaped(link))">\#(HTMLText.escaped(link))</a>"#
        case .code(let code): "<strong>\(HTMLText.escaped(code))</strong>"
        }
    }

    /// The user id that an mpin_id claims, for the page that asks whether that is right.
    private func user(of link: ActivationLink) -> String {
        HTMLText.escaped(MPinIDText.userID(in: link.mpinID) ?? "an unreadable user id")
    }

    private var logoutForm: String {
        #"<form method="post" action="\#(root)logout"><button type="submit">Log out</button></form>"#
    }

    func page(_ title: String, _ body: String) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(title)</title>
        <link rel="stylesheet" href="\(root)page.css">
        <link rel="icon" href="\(root)logo.svg">
        </head>
        <body>
        <h1>\(title)</h1>
        \(body)
        </body>
        </html>

        """
    }
}
