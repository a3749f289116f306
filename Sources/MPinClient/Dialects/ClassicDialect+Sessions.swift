// SPDX-License-Identifier: Apache-2.0

import LoginValues

// Milagro protocol, section 7.3: what the device tells the browser's session. Nothing of it decides about a login.
extension ClassicDialect {
    func sessionDetails(for code: AccessCode) -> Exchange<SessionDetails>? {
        codeStatus(JSONBody(["status": .text("wid"), "wid": .accessCode(code)])) { object throws(JSONError) in
            var details = SessionDetails()
            // The classic server capitalises the keys, which the classic client does not read; take either.
            details.prerollID = try object.firstString("prerollId", "PrerollId")
            details.appName = try object.firstString("appName", "AppName")
            details.appIconURL = try object.firstString("appLogoURL", "AppLogoUrl")
            details.customerID = try object.firstString("customerId", "CustomerId")
            details.customerName = try object.firstString("customerName", "CustomerName")
            details.customerIconURL = try object.firstString("customerLogoURL", "CustomerLogoUrl")
            return details
        }
    }

    func announce(userID: String, for code: AccessCode) -> Exchange<Void>? {
        let body = JSONBody(["status": .text("user"), "wid": .accessCode(code), "userId": .text(userID)])
        return codeStatus(body) { _ throws(JSONError) in }
    }

    func abortSession(_ code: AccessCode) -> Exchange<Void>? {
        codeStatus(JSONBody(["status": .text("abort"), "wid": .accessCode(code)])) { _ throws(JSONError) in }
    }

    private func codeStatus<Reply>(
        _ body: JSONBody, reading read: @escaping (JSONObject) throws(JSONError) -> Reply
    ) -> Exchange<Reply>? {
        guard let url = settings.codeStatusURL else { return nil }
        return Exchange(
            .codeStatus, send(.post, body, to: url, isRepeatable: true), success: Self.success, reading: read)
    }
}

extension JSONObject {
    /// The first of the keys that is there; empty when none is.
    fileprivate func firstString(_ keys: String...) throws(JSONError) -> String {
        for key in keys {
            if let text = try optionalString(key) { return text }
        }
        return ""
    }
}
