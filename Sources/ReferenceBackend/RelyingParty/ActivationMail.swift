// SPDX-License-Identifier: Apache-2.0

/// The mail that asks a person to confirm a registration.
struct ActivationMail: Sendable {
    let recipient: String
    let siteName: String
    let link: String
    let sent: WallTime

    var subject: String { "Confirm your registration" }

    var text: String {
        """
        Somebody registered \(recipient) at \(siteName).
        If it was you, open this page within an hour and confirm:

        \(link)

        If it was not you, do nothing.
        """
    }

    var html: String {
        """
        <!DOCTYPE html>
        <html lang="en"><body>
        <p>Somebody registered <strong>\(HTMLText.escaped(recipient))</strong> at \(HTMLText.escaped(siteName)).</p>
        <p>If it was you, open this page within an hour and confirm:</p>
        <p><a href="\(HTMLText.escaped(link))">Confirm the registration</a></p>
        <p>If it was not you, do nothing.</p>
        </body></html>
        """
    }

    /// The mail as the outbox shows it to programs.
    var summary: JSONObject {
        JSONObject([
            "to": .string(recipient), "subject": .string(subject), "date": .string(sent.zonedText),
            "link": .string(link), "text": .string(text), "html": .string(html),
        ])
    }
}
