// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import HTTPTypes
import MPinCrypto

@testable import BackendValues
@testable import ReferenceBackend

/// Sends a device's requests to a backend in the form of one program.
struct Wire: Sendable {
    /// The programs whose requests these tests send.
    enum Program: Hashable, Sendable {
        /// A device of these tests, written from the protocol's description only.
        case own
        /// The classic C++ client (SDK core 2.2 with libcurl). Its header fields, layout and reading of a PIN are as
        /// recorded; the fields have another order, and JSON members are sorted by name.
        case classic
        /// MIRACL's JavaScript client under node, or in a page of the origin. Its header fields are as recorded, in
        /// another order; JSON members are sorted by name.
        case script(ScriptClient.Version, projectID: String, origin: String?)
    }

    private static let json = "application/json; charset=UTF-8"

    /// The backend, at the endpoint of the dialect.
    let backend: RunningBackend
    var program = Program.own

    /// - Parameter path: the path below the endpoint.
    func send(
        _ method: HTTPRequest.Method, _ path: String, _ members: [String: JSONValue]? = nil
    ) async throws -> Reply {
        guard program != .own else {
            var headers: HTTPFields = [:]
            if members != nil { headers[.contentType] = Self.json }
            return try await backend.client.send(
                method, path, body: members.map { JSONObject($0).body }, headers: headers)
        }
        let port = backend.addresses.publicPort
        var target = backend.base + path
        var body = members.map { String(decoding: JSONObject($0).body, as: UTF8.self) } ?? ""
        var lines = ["Host: 127.0.0.1:\(port)"]
        if case .script(let version, let projectID, let origin) = program {
            lines += ["X-MIRACL-CID: \(projectID)", "Accept: */*", "Connection: keep-alive"]
            if version != .six { lines.append("X-MIRACL-CLIENT: MIRACL Client.js/\(version.rawValue)") }
            if members != nil { lines.append("Content-Type: application/json") }
            if let origin {
                lines += ["Origin: \(origin)", "Sec-Fetch-Mode: cors", "Sec-Fetch-Site: cross-site"]
                // Such a client appends its project to every URL, even to those of shares.
                target += (path.contains("?") ? "&" : "?") + "project_id=" + projectID
            }
        } else {
            lines += ["X-MIRACL-Client-ID: acme", "X-MIRACL-OS-Class: linux"]
            lines += members == nil ? ["Accept: */*"] : ["Accept: text/plain", "Content-Type: \(Self.json)"]
            body = members.map { Self.tabbed($0) } ?? ""
        }
        if members != nil { lines.append("Content-Length: \(body.utf8.count)") }
        let head = ["\(method.rawValue) \(target) HTTP/1.1"] + lines + ["", ""]
        return try await RawExchange.send(head.joined(separator: "\r\n") + body, port: port)
    }

    /// Asks the second D-TA.
    func askAuthority(_ path: String) async throws -> Reply {
        if program == .own { return try await backend.authority.get(path) }
        return try await send(.get, "/dta" + path)
    }

    /// The factor that this program makes of a typed PIN.
    func factor(_ pin: String) throws -> PinFactor {
        let bytes = Array(pin.utf8)
        if program == .classic { return PinFactor(stringHash: bytes.span) }
        return try PinFactor(digits: bytes.span)
    }

    /// JSON in the layout of the classic client.
    private static func tabbed(_ members: [String: JSONValue], indent: String = "\t") -> String {
        let lines = members.sorted { $0.key < $1.key }.map { name, value in
            guard case .object(let inner) = value else {
                return "\(indent)\"\(name)\" : " + String(decoding: value.text, as: UTF8.self)
            }
            return "\(indent)\"\(name)\" : " + tabbed(inner, indent: indent + "\t")
        }
        return "{\n" + lines.joined(separator: ",\n") + "\n\(indent.dropLast())}"
    }
}
