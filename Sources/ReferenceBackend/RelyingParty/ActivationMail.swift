// SPDX-License-Identifier: Apache-2.0

/// The mail that asks a person to confirm a registration.
struct ActivationMail: Codable, Sendable {
    let recipient: String
    let siteName: String
    let content: Content
    let sent: WallTime

    /// How the person confirms.
    enum Content: Codable, Sendable {
        case link(String)
        /// Typed on the device that asked for it.
        case code(String)
    }

    var subject: String { "Confirm your registration" }

    var text: String {
        """
        Somebody registered \(recipient) at \(siteName).
        \(text(of: content))

        If it was not you, do nothing.
        """
    }

    var html: String {
        """
        <!DOCTYPE html>
        <html lang="en"><body>
        <p>Somebody registered <strong>\(HTMLText.escaped(recipient))</strong> at \(HTMLText.escaped(siteName)).</p>
        \(html(of: content))
        <p>If it was not you, do nothing.</p>
        </body></html>
        """
    }

    /// The mail as the outbox shows it to programs.
    var summary: JSONObject {
        let (name, value) =
            switch content {
            case .link(let link): ("link", link)
            case .code(let code): ("code", code)
            }
        return JSONObject([
            "to": .string(recipient), "subject": .string(subject), "date": .string(sent.zonedText),
            name: .string(value), "text": .string(text), "html": .string(html),
        ])
    }

    private func text(of content: Content) -> String {
        switch content {
        case .link(let link): "If it was you, open this page within an hour and confirm:\n\n\(link)"
        case .code(let code): "If it was you, type this code on the kiosk within an hour:\n\n\(code)"
        }
    }

    private func html(of content: Content) -> String {
        switch content {
        case .link(let link):
            """
            <p>If it was you, open this page within an hour and confirm:</p>
            <p><a href="\(HTMLText.escaped(link))">Confirm the registration</a></p>
            """
        case .code(let code):
            """
            <p>If it was you, type this code on the kiosk within an hour:</p>
            <p><strong>\(HTMLText.escaped(code))</strong></p>
            """
        }
    }
}
