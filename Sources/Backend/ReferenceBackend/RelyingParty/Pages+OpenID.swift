// SPDX-License-Identifier: Apache-2.0

import OpenIDProvider

/// The pages of the OpenID provider, and of the site as its client.
extension Pages {
    /// The page for a person whom an application sent here to log in.
    /// - Parameters:
    ///   - page: the prefix of this page's own paths.
    ///   - application: the application's name.
    ///   - picture: as in `login`, like `code`.
    func authorization(at page: String, for application: String, picture: String, code: String?) -> String {
        let name = "<strong id=\"application\">\(HTMLText.escaped(application))</strong>"
        return self.page(
            words(.logIn),
            """
            <p>\(words(.asks, ["application": name])) \(words(.holdCode))</p>
            \(codeLine(code))\
            <img id="qr" src="\(page)qr.png?\(picture)" alt="\(words(.picture))">
            \(statusLine)
            <p><a href="\(page)cancel">\(words(.decline))</a></p>
            <script src="\(root)page.js" data-root="\(page)" data-next="\(page)done"></script>
            """)
    }

    /// The page for a request whose application or redirect URI is invalid, so that only the person can be told.
    func authorizationRefused(_ reason: AuthorizationRefusal.Reason) -> String {
        let lines =
            switch reason {
            case .unknownApplication(let sent): [words(.unknownApplication), line(of: sent)]
            case .redirectURI(let sent, let client):
                [words(.badAddress), line(of: sent)] + registered(client.addressesToShow(beside: sent))
            case .brokenAddress: [words(.brokenAddress)]
            }
        return page(words(.refusedTitle), lines.map { "<p>\($0)</p>" }.joined(separator: "\n"))
    }

    /// The field for whoever made the application. It is text, not a link: a stranger may have chosen it.
    func line(of sent: SentField) -> String {
        let name = ["field": "<code>\(sent.name)</code>"]
        return switch sent.content {
        case .missing: words(.fieldMissing, name)
        case .repeated: words(.fieldTwice, name)
        case .value: "<code>\(HTMLText.escaped(sent.text))</code>"
        }
    }

    private func registered(_ addresses: [String]) -> [String] {
        if addresses.isEmpty { return [words(.addressesInLog)] }
        return [words(.registeredAddresses)]
            + addresses.map { "<code>\(HTMLText.escaped(SentField.visible($0)))</code>" }
    }

    func providerLogout() -> String { page(words(.logOut), logoutForm(at: root + "authorize/logout")) }

    func loginFailed() -> String {
        page(
            words(.loginNeededTitle),
            #"<p>\#(words(.loginFailed)) <a href="\#(root)login">\#(words(.tryAgain))</a></p>"#)
    }
}
