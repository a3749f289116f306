// SPDX-License-Identifier: Apache-2.0

import BackendValues
package import Encoding
package import HTTPTypes
import HummingbirdTesting
import NIOCore

/// A client of one listener, with a connection per request and no state.
package struct HTTPClient: Sendable {
    package let port: Int
    /// Sent with every request.
    package var headers: HTTPFields = [:]
    /// The prefix of every path.
    package var base = ""

    package init(port: Int, headers: HTTPFields = [:], base: String = "") {
        (self.port, self.headers, self.base) = (port, headers, base)
    }

    package func send(
        _ method: HTTPRequest.Method, _ path: String, body: [UInt8]? = nil, headers: HTTPFields = [:]
    ) async throws -> Reply {
        let headers = HTTPFields(Array(self.headers) + Array(headers))
        return try await TestClient.withClient(
            host: "127.0.0.1", port: port, configuration: .init(timeout: .seconds(60))
        ) {
            client in
            let response = try await client.execute(
                TestClient.Request(
                    base + path, method: method, authority: "127.0.0.1:\(port)", headers: headers,
                    body: body.map { ByteBuffer(bytes: $0) }))
            return Reply(
                status: response.status.code, headers: response.headers,
                body: response.body.map { [UInt8]($0.readableBytesView) } ?? [])
        }
    }

    package func get(_ path: String, headers: HTTPFields = [:]) async throws -> Reply {
        try await send(.get, path, headers: headers)
    }

    package func post(_ path: String, _ members: [String: JSONValue], headers: HTTPFields = [:]) async throws -> Reply {
        try await sendJSON(.post, path, members, headers: headers)
    }

    package func put(_ path: String, _ members: [String: JSONValue], headers: HTTPFields = [:]) async throws -> Reply {
        try await sendJSON(.put, path, members, headers: headers)
    }

    /// Sends a form.
    package func submit(
        _ path: String, _ fields: [(name: String, value: String)], headers: HTTPFields = [:]
    ) async throws -> Reply {
        var headers = headers
        headers[.contentType] = "application/x-www-form-urlencoded"
        return try await send(.post, path, body: Array(FormFields.text(fields).utf8), headers: headers)
    }

    private func sendJSON(
        _ method: HTTPRequest.Method, _ path: String, _ members: [String: JSONValue], headers: HTTPFields
    ) async throws -> Reply {
        var headers = headers
        headers[.contentType] = "application/json; charset=UTF-8"
        return try await send(method, path, body: JSONObject(members).body, headers: headers)
    }
}
