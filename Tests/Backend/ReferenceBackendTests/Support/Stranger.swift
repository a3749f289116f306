// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding

@testable import BackendValues
@testable import ReferenceBackend

/// A program that has proved nothing, with its own address on the loopback interface.
struct Stranger: Sendable {
    let address: String
    let port: Int

    init(_ address: String, at backend: RunningBackend) {
        self.address = address
        port = backend.addresses.publicPort
    }

    func get(_ path: String, times: Int = 1) async throws -> [Reply] {
        try await send(Array(repeating: "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n", count: times))
    }

    func post(_ path: String, form: String, headers: [String] = []) async throws -> Reply {
        let headers = headers + ["Content-Type: application/x-www-form-urlencoded"]
        return try await send([request(path, body: form, headers: headers)])[0]
    }

    /// Sends all bodies on one connection.
    func post(_ path: String, _ bodies: [[String: JSONValue]]) async throws -> [Reply] {
        try await send(
            bodies.map { request(path, body: String(decoding: JSONObject($0).body, as: UTF8.self), headers: []) })
    }

    private func request(_ path: String, body: String, headers: [String]) -> String {
        let lines = ["Host: 127.0.0.1:\(port)", "Content-Length: \(body.utf8.count)"] + headers
        return "POST \(path) HTTP/1.1\r\n" + lines.joined(separator: "\r\n") + "\r\n\r\n" + body
    }

    private func send(_ requests: [String]) async throws -> [Reply] {
        try await RawExchange.send(requests, from: address, port: port)
    }
}
