// SPDX-License-Identifier: Apache-2.0

import OpenIDProvider

/// The pages of the OpenID provider, and of the site that sends people there.
extension Pages {
    /// An application sent a person here to log in.
    /// - Parameters:
    ///   - page: the beginning of the paths of this page alone.
    ///   - application: names who asks.
    ///   - picture: as of `login`, as `code`.
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

    /// The application, or the address that it sent the browser with, cannot be used: nobody is told but the person.
    func authorizationRefused(_ reason: AuthorizationRefusal.Reason) -> String {
        let word: PageWord =
            switch reason {
            case .unknownApplication: .unknownApplication
            case .redirectURI: .badAddress
            case .brokenAddress: .brokenAddress
            }
        return page(words(.refusedTitle), "<p>\(words(word))</p>")
    }

    func providerLogout() -> String { page(words(.logOut), logoutForm(at: root + "authorize/logout")) }

    func loginFailed() -> String {
        page(
            words(.loginNeededTitle),
            #"<p>\#(words(.loginFailed)) <a href="\#(root)login">\#(words(.tryAgain))</a></p>"#)
    }
}
