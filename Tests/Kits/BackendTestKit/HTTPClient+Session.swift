// SPDX-License-Identifier: Apache-2.0

package import BackendValues
import Encoding

extension HTTPClient {
    /// A browser session of the classic kind: access code and webOTT.
    package func newQRSession() async throws -> (accessCode: String, webOTT: String) {
        let reply = try await post("/rps/getQrUrl", [:])
        let url = reply.object.string("qrUrl") ?? ""
        return (String(url.split(separator: "#").last ?? ""), reply.object.string("webOTT") ?? "")
    }

    package func access(_ webOTT: String) async throws -> JSONObject {
        try await post("/rps/access", ["webOTT": .string(webOTT)]).object
    }
}
