// SPDX-License-Identifier: Apache-2.0

/// The pages of the OpenID provider, and of the site that sends people there.
extension Pages {
    /// An application sent a person here to log in.
    /// - Parameters: as of `login`.
    func authorization(number: UInt64, code: String?) -> String {
        page(
            "Log in",
            """
            <p>An application asks you to log in. Hold this code to the camera of the kiosk and type your PIN there.</p>
            <img id="qr" src="\(root)authorize/qr.png?\(number)" alt="QR code for the kiosk">
            \(codeLine(code))\
            <p id="status" role="status" aria-live="polite"></p>
            <p><a href="\(root)authorize/cancel">Do not log in</a></p>
            <script src="\(root)page.js" data-root="\(root)authorize/" data-next="\(root)authorize/done"></script>
            """)
    }

    /// - Parameter reason: a sentence of this program's own.
    func authorizationRefused(_ reason: String) -> String {
        page("This address leads nowhere", "<p>\(HTMLText.escaped(reason))</p>")
    }

    func loginFailed() -> String {
        page("Not logged in", #"<p>Nobody was logged in. <a href="\#(root)login">Try again</a></p>"#)
    }
}
