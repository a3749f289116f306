// SPDX-License-Identifier: Apache-2.0

import Encoding
import LoginValues

// The device's messages to a browser's session, and its questions about it (docs/protocol/milagro.md, section 7.3;
// docs/protocol/miracl.md, section 6.1). They have no influence on whether a login succeeds. Nil when the backend
// offers none.
extension Dialect {
    func sessionDetails(for code: AccessCode) -> Exchange<SessionDetails>? {
        codeStatus("wid", code) { object throws(JSONError) in try SessionDetails(object) }
    }

    func announce(userID: String, for code: AccessCode) -> Exchange<Void>? {
        codeStatus("user", code, [("userId", .text(userID))]) { _ throws(JSONError) in }
    }

    func abortSession(_ code: AccessCode) -> Exchange<Void>? {
        codeStatus("abort", code) { _ throws(JSONError) in }
    }

    private func codeStatus<Reply>(
        _ status: String, _ code: AccessCode, _ more: [JSONBody.Member] = [],
        reading read: @escaping (JSONObject) throws(JSONError) -> Reply
    ) -> Exchange<Reply>? {
        guard let url = codeStatusURL else { return nil }
        let body = JSONBody([("status", .text(status)), ("wid", .accessCode(code))] + more)
        return Exchange(
            .codeStatus, send(.post, body, to: url, isRepeatable: true), success: Self.success, reading: read)
    }
}
