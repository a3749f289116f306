// SPDX-License-Identifier: Apache-2.0

import BackendHTTP
import BackendValues
import Encoding
import Sealing

/// The login code on a page. The browser keeps it in its cookie.
package struct LoginAttempt: Sendable {
    let webOTT: String
    package let qrText: String
    /// The time when an unread code is replaced.
    let changes: WallTime
    let expires: WallTime
    /// The token that stays when the code changes.
    let page: OneTimeToken
    /// The number beside the code, for kiosks whose camera cannot read.
    var number: String?

    /// The code in the picture.
    var accessCode: String { qrText.split(separator: "#").last.map(String.init) ?? "" }

    /// The code that a person may type instead of showing the picture.
    var typedCode: String { number ?? accessCode }

    /// The name of its picture. It reveals nothing.
    var pictureName: String { Hexadecimal.text(Digest.sha256(Array(("picture " + webOTT).utf8)).prefix(8)) }
}

extension LoginAttempt {
    /// - Returns: nil for a cookie of another site, and for a code that has expired.
    init?(_ cookie: BrowserCookie?, _ seal: VisitSeal, now: WallTime) {
        guard let content = seal.content(of: cookie), let webOTT = content.string("webOTT"),
            let qrText = content.string("qrText"), let end = content.integer("expires"), end > now.milliseconds,
            let changes = content.integer("changes"), let page = content.string("page").flatMap({ OneTimeToken($0) })
        else { return nil }
        self.init(
            webOTT: webOTT, qrText: qrText, changes: WallTime(milliseconds: changes),
            expires: WallTime(milliseconds: end), page: page)
        number = content.string("number")
    }

    /// - Throws: `BackendError`.
    func cookie(_ seal: VisitSeal) throws(BackendError) -> BrowserCookie {
        var content: [String: JSONValue] = [
            "webOTT": .string(webOTT), "qrText": .string(qrText), "expires": .integer(expires.milliseconds),
            "changes": .integer(changes.milliseconds), "page": .string(page.hex),
        ]
        if let number { content["number"] = .string(number) }
        return try seal.cookie(of: JSONObject(content))
    }
}
