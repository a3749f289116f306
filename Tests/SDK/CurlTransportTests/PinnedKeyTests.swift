// SPDX-License-Identifier: Apache-2.0

import CurlTransport
import KioskTestKit
import LoginValues
import MPinClient
import Testing

/// A server needs a pinned key besides a valid certificate.
@Suite struct PinnedKeys {
    let authority: TestAuthority
    let transport: CurlHTTPTransport

    init() throws {
        authority = try TestAuthority()
        transport = try CurlHTTPTransport(.init(authorityFile: authority.file))
    }

    private func server(_ name: String, dates: (first: String, last: String)? = nil) throws -> TLSServer {
        try TLSServer(try authority.issue("DNS:localhost", dates: dates, for: name))
    }

    private func pin(of name: String) throws -> PublicKeyPin { try PublicKeyPin(try authority.pin(of: name)) }

    private func failure(at server: TLSServer, _ pins: [PublicKeyPin]) async throws -> HTTPTransportError? {
        var request = HTTPRequest(.get, try server.address(), isRepeatable: true)
        request.pins = pins
        return await CurlTransportTests.failure(of: request, transport)
    }

    /// The same authority certifies both servers, so only the pin identifies the false one. The requests alternate,
    /// so that neither curl nor TLS can reuse anything.
    @Test func tellAFalseServerWithAValidCertificate() async throws {
        let honest = try server("honest")
        let other = try server("false")
        let (pinned, backup) = (try pin(of: "honest"), try newPin("backup"))
        #expect(try await failure(at: honest, [pinned]) == nil)
        for _ in 0..<3 {
            #expect(try await failure(at: other, []) == nil, "without a pin it is believed")
            let error = try await failure(at: other, [pinned])
            #expect(error?.code == .serverKeyRefused && error?.requestMayHaveBeenSent == false)
            #expect(error?.detail.contains("not the pinned one") == true, "\(error?.detail ?? "")")
            let second = try await failure(at: other, [backup, pinned])
            #expect(second?.code == .serverKeyRefused && second?.detail.contains("none of the 2") == true)
        }
        #expect(try await failure(at: honest, [backup, pinned]) == nil, "any of them will do")
        #expect(try await failure(at: honest, [pinned, backup]) == nil)
    }

    private func newPin(_ name: String) throws -> PublicKeyPin {
        _ = try authority.issue("DNS:localhost", for: name)
        return try pin(of: name)
    }

    /// A pin is an additional condition. It replaces no check of the certificate.
    @Test func makeUpForNothing() async throws {
        let expired = try server("old", dates: TestAuthority.past)
        #expect(try await failure(at: expired, [try pin(of: "old")])?.code == .tlsFailed)
        let stranger = try TestAuthority()
        let foreign = try TLSServer(try stranger.issue("DNS:localhost", for: "foreign"))
        let key = try PublicKeyPin(try stranger.pin(of: "foreign"))
        #expect(try await failure(at: foreign, [key])?.code == .tlsFailed)
        let elsewhere = try TLSServer(try authority.issue("DNS:login.example.com", for: "elsewhere"))
        #expect(try await failure(at: elsewhere, [try pin(of: "elsewhere")])?.code == .tlsFailed)
        // A renewed certificate with the same key is accepted too.
        let renewed = try server("old")
        #expect(try await failure(at: renewed, [try pin(of: "old")]) == nil)
    }

    @Test func areNotShownOverHTTP() async throws {
        let pin = try newPin("any")
        try await withServer { connection in
            while connection.readRequest() != nil { connection.reply(200) }
        } _: { server, transport in
            var request = HTTPRequest(.get, try server.address())
            request.pins = [pin]
            let error = await CurlTransportTests.failure(of: request, transport)
            #expect(error?.code == .serverKeyRefused && error?.requestMayHaveBeenSent == false)
            #expect(server.accepted == 0)
        }
    }

    @Test func canBeReadFromAServer() async throws {
        let server = try server("honest")
        let origin = try server.address().origin
        #expect(try await transport.publicKey(of: origin) == pin(of: "honest"))
        // The next request is checked separately.
        #expect(try await failure(at: server, [try pin(of: "honest")]) == nil)
        let strict = try CurlHTTPTransport()
        let error = await #expect(throws: HTTPTransportError.self) { try await strict.publicKey(of: origin) }
        #expect(error?.code == .tlsFailed)
        let plain = try WebAddress("http://localhost:1/").origin
        await #expect(throws: HTTPTransportError.self) { try await transport.publicKey(of: plain) }
    }
}
