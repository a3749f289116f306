// SPDX-License-Identifier: Apache-2.0

import BackendValues
import Encoding
import OpenIDProvider

/// The pages of the OpenID provider, and of the site as its client.
extension Pages {
    /// The page for a person that an application sent here to log in.
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

    /// A field of the request, shown for the application's developer. Text, not a link: a stranger may have chosen it.
    func line(of sent: SentField) -> String {
        let name = ["field": "<code>\(sent.name)</code>"]
        return switch sent.content {
        case .missing: words(.fieldMissing, name)
        case .repeated: words(.fieldTwice, name)
        case .invalid: words(.fieldInvalid, name)
        case .value: "<code>\(HTMLText.escaped(sent.text))</code>"
        }
    }

    private func registered(_ addresses: [String]) -> [String] {
        if addresses.isEmpty { return [words(.addressesInLog)] }
        return [words(.registeredAddresses)]
            + addresses.map { "<code>\(HTMLText.escaped(SentField.visible($0)))</code>" }
    }

    /// The field of the button. Only a page of this site may send it.
    static let logoutButton = "button"

    /// The page that asks whether to end the browser's session.
    /// - Parameters:
    ///   - application: the name of the application that asks.
    ///   - fields: its request, which comes back with the button.
    func providerLogout(for application: String?, _ fields: FormFields) -> String {
        let name = application.map { "<strong id=\"application\">\(HTMLText.escaped($0))</strong>" }
        let asks = name.map { "<p>\(words(.logoutAsks, ["application": $0]))</p>\n" } ?? ""
        return page(words(.logOut), asks + "<p>\(words(.logoutMeans))</p>\n" + providerLogoutForm(fields.values))
    }

    func logoutRefused(_ sent: SentField) -> String {
        page(
            words(.refusedTitle),
            """
            <p>\(words(.logoutRefused))</p>
            <p>\(line(of: sent))</p>
            \(providerLogoutForm([:]))
            """)
    }

    func providerLoggedOut() -> String { page(words(.loggedOutTitle), "<p>\(words(.loggedOut))</p>") }

    private func providerLogoutForm(_ values: [String: String]) -> String {
        let names = ["client_id", "id_token_hint", "post_logout_redirect_uri", "state", "ui_locales"]
        let fields = names.compactMap { name in values[name].map { (name: name, value: $0) } }
        return """
            <form method="post" action="\(root)authorize/logout">
            \(HTMLText.hidden(fields))
            <button type="submit" name="\(Self.logoutButton)" value="1">\(words(.logOut))</button>
            </form>
            """
    }

    func loginFailed() -> String {
        page(
            words(.loginNeededTitle),
            #"<p>\#(words(.loginFailed)) <a href="\#(root)login">\#(words(.tryAgain))</a></p>"#)
    }
}
