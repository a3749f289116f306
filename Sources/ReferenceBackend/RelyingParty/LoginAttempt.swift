// SPDX-License-Identifier: Apache-2.0

/// The login code on the page of a browser before a login. The browser keeps it in its cookie.
struct LoginAttempt: Sendable {
    struct AccessNumberOffer: Sendable {
        let webOTT: String
        let digits: String
    }

    let webOTT: String
    let qrText: String
    let expires: WallTime
    /// The number beside the code, for kiosks whose camera cannot read: to the RPS it is a session of its own.
    var number: AccessNumberOffer?

    /// What a person may type instead of showing the picture.
    var typedCode: String? { number?.digits ?? qrText.split(separator: "#").last.map(String.init) }
}

extension LoginAttempt {
    /// - Returns: nil for a cookie of another site, and for a code that has expired.
    init?(_ cookie: BrowserCookie?, _ seal: VisitSeal, now: WallTime) {
        guard let content = seal.content(of: cookie), let webOTT = content.string("webOTT"),
            let qrText = content.string("qrText"), let end = content.integer("expires"), end > now.milliseconds
        else { return nil }
        self.init(webOTT: webOTT, qrText: qrText, expires: WallTime(milliseconds: end))
        if let webOTT = content.string("numberWebOTT"), let digits = content.string("number") {
            number = AccessNumberOffer(webOTT: webOTT, digits: digits)
        }
    }

    /// - Throws: `BackendError`.
    func cookie(_ seal: VisitSeal) throws(BackendError) -> BrowserCookie {
        var content: [String: JSONValue] = [
            "webOTT": .string(webOTT), "qrText": .string(qrText), "expires": .integer(expires.milliseconds),
        ]
        if let number {
            content["numberWebOTT"] = .string(number.webOTT)
            content["number"] = .string(number.digits)
        }
        return try seal.cookie(of: JSONObject(content))
    }
}
