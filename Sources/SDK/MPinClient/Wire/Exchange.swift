// SPDX-License-Identifier: Apache-2.0

import Encoding
import LoginValues

/// One request and the reading of its reply. Dialects make exchanges, flows order them.
struct Exchange<Reply> {
    let call: Call
    /// Status codes that are a success.
    let success: ClosedRange<Int>
    let read: (SecretBytes) throws(JSONError) -> Reply

    /// Makes an exchange whose reply is a JSON object.
    init(
        _ kind: RequestKind, _ request: HTTPRequest, success: ClosedRange<Int>,
        reading read: @escaping (JSONObject) throws(JSONError) -> Reply
    ) {
        self.init(call: Call(kind: kind, request: request), success: success) { body throws(JSONError) in
            try read(try JSONObject(body))
        }
    }

    /// Makes an exchange whose reply is anything.
    init(call: Call, success: ClosedRange<Int>, read: @escaping (SecretBytes) throws(JSONError) -> Reply) {
        self.call = call
        self.success = success
        self.read = read
    }

    func reply(from outcome: CallOutcome) throws(MPinError) -> Reply {
        switch outcome {
        case .failed(let error, _): throw error
        case .answered(let response):
            guard success.contains(response.status) else { throw refusal(by: response) }
            do throws(JSONError) {
                if call.kind.isAnsweredByStatus { try ForeignReply.refuse(response.body) }
                return try read(response.body)
            } catch {
                throw MPinError(
                    .badReply, detail: "\(call.place): \(error)", httpStatus: response.status)
            }
        }
    }

    /// The meaning of a refusal: by the server's own reason if it applies to such a request, else by the status code.
    private func refusal(by response: HTTPResponse) -> MPinError {
        let reason = ServerRefusal(response.body)
        let special = reason.flatMap { RefusalTable.meaning(of: $0, response.status, to: call.kind) }
        let meaning = special ?? RefusalTable.meaning(of: response.status, to: call.kind)
        let refusal = special == nil ? nil : reason
        var error = MPinError(
            meaning.kind, status: meaning.status,
            detail: "\(call.place): the reply's status is \(response.status)"
                + (refusal.map { ", \($0.code)" } ?? ""),
            httpStatus: response.status, refusal: refusal)
        error.isFinalRefusal = call.mayEndIdentity && meaning.kind.refusesIdentity
        if call.kind.isFinalCall, response.isAboutUnknownLogin {
            error = error.withUnknownOutcome("; the server no longer has this login, and may have checked it before")
        }
        return error
    }
}

extension HTTPResponse {
    /// Whether the server no longer knows this login. It began a moment ago, so a proxy sent its last request twice,
    /// and the reply to the first one is the verdict.
    fileprivate var isAboutUnknownLogin: Bool {
        headers.contains { $0.name.lowercased() == "login-outcome" && $0.value == "unknown" }
    }
}
