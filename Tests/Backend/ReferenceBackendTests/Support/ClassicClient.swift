// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import MPinCrypto
import Testing

@testable import BackendValues
@testable import ReferenceBackend

/// The classic C++ client (SDK core 2.2 with libcurl) as a server sees it: its recorded requests byte for byte, their
/// order, its reading of the PIN, and exactly 200 for a success.
struct ClassicClient: Sendable {
    let backend: RunningBackend
    /// The reply of `GET /rps/clientSettings`.
    let settings: JSONObject
    var mpinIDHex = ""
    var regOTT = ""
    var token: Token?
    /// The second permit share and its day, kept between logins.
    var cachedPermit: (share: TimePermitShare, day: Int64)?

    /// Reads the parts of service description and settings that the client requires.
    init(at backend: RunningBackend) async throws {
        self.backend = backend
        let service = try await RawExchange.send(Self.get("/service", backend), port: backend.addresses.publicPort)
        try #require(service.status == 200)
        for key in ["name", "url", "rps_prefix", "logo_url", "type"] {
            try #require(service.object.string(key) != nil, "\(key)")
        }
        try #require(service.object.string("type") == "online")
        let reply = try await RawExchange.send(
            Self.get("/rps/clientSettings", backend), port: backend.addresses.publicPort)
        try #require(reply.status == 200)
        settings = reply.object
    }

    func get(_ path: String) async throws -> Reply {
        try await RawExchange.send(Self.get(path, backend), port: backend.addresses.publicPort)
    }

    /// - Parameter body: JSON in this client's layout.
    func send(_ method: String, _ path: String, _ body: String) async throws -> Reply {
        let request = """
            \(method) \(path) HTTP/1.1\r
            Host: 127.0.0.1:\(backend.addresses.publicPort)\r
            Accept: text/plain\r
            Content-Type: application/json; charset=UTF-8\r
            X-MIRACL-Client-ID: acme\r
            X-MIRACL-OS-Class: linux\r
            Content-Length: \(body.utf8.count)\r
            \r
            \(body)
            """
        return try await RawExchange.send(request, port: backend.addresses.publicPort)
    }

    /// The path of a URL in the settings. All are below the public URL.
    func path(_ key: String) throws -> String {
        let url = try #require(settings.string(key), "\(key)")
        try #require(url.hasPrefix(backend.addresses.publicURL + "/"), "\(key)")
        return String(url.dropFirst(backend.addresses.publicURL.count))
    }

    static func hex(_ object: JSONObject, _ name: String) throws -> [UInt8] {
        try #require(object.string(name).flatMap { Hexadecimal.bytes($0) }, "\(name)")
    }

    static func factor(_ pin: String) -> PinFactor {
        let bytes = Array(pin.utf8)
        return PinFactor(stringHash: bytes.span)
    }

    private static func get(_ path: String, _ backend: RunningBackend) -> String {
        """
        GET \(path) HTTP/1.1\r
        Host: 127.0.0.1:\(backend.addresses.publicPort)\r
        Accept: */*\r
        X-MIRACL-Client-ID: acme\r
        X-MIRACL-OS-Class: linux\r
        \r

        """
    }
}
