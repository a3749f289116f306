// SPDX-License-Identifier: Apache-2.0

import CurlTransport
import KioskTestKit
import LoginValues
import MPinClient
import Testing

@Suite struct TLS {
    let authority: TestAuthority

    init() throws { authority = try TestAuthority() }

    @Test func ofAKnownAuthorityIsBelieved() async throws {
        let server = try TLSServer(try authority.issue("DNS:localhost,IP:127.0.0.1"))
        let transport = try CurlHTTPTransport(.init(authorityFile: authority.file))
        for host in ["localhost", "127.0.0.1"] {
            #expect(try await transport.send(HTTPRequest(.get, try server.address(host))).status == 200)
        }
    }

    @Test func ofAnUnknownAuthorityIsRefused() async throws {
        let server = try TLSServer(try authority.issue("DNS:localhost"))
        try await expectRefusal(of: server, .init())
        let stranger = try TestAuthority()
        try await expectRefusal(of: server, .init(authorityFile: stranger.file))
        withExtendedLifetime(stranger) {}
    }

    @Test func thatVouchesForItselfIsRefused() async throws {
        let server = try TLSServer(try authority.selfSigned("DNS:localhost"))
        try await expectRefusal(of: server, .init(authorityFile: authority.file))
    }

    @Test func ofAnotherHostIsRefused() async throws {
        let server = try TLSServer(try authority.issue("DNS:login.example.com,IP:127.0.0.2"))
        try await expectRefusal(of: server, .init(authorityFile: authority.file))
    }

    /// The subject has the right name, which is not accepted there.
    @Test func thatListsNoNamesIsRefused() async throws {
        let server = try TLSServer(try authority.issue(nil))
        let transport = try CurlHTTPTransport(.init(authorityFile: authority.file))
        let error = await failure(of: HTTPRequest(.get, try server.address()), transport)
        #expect(error?.code == .tlsFailed && error?.requestMayHaveBeenSent == false, "\(String(describing: error))")
        #expect(error?.detail.contains("subjectAltName") == true, "\(String(describing: error))")
    }

    @Test func thatExpiredIsRefused() async throws {
        let server = try TLSServer(try authority.issue("DNS:localhost", dates: TestAuthority.past))
        try await expectRefusal(of: server, .init(authorityFile: authority.file))
    }

    /// The operator's log and `doctor` have these words.
    @Test func aRefusalNamesItsReason() async throws {
        for (names, dates, words) in [
            ("DNS:localhost", TestAuthority.past, "has expired, by this machine's clock"),
            ("DNS:localhost", TestAuthority.future, "is not valid yet, by this machine's clock"),
            ("DNS:login.example.com", nil, "is for another name"),
        ] {
            let server = try TLSServer(try authority.issue(names, dates: dates))
            let transport = try CurlHTTPTransport(.init(authorityFile: authority.file))
            let error = await failure(of: HTTPRequest(.get, try server.address()), transport)
            #expect(error?.detail.contains("the server's certificate \(words)") == true, "\(error?.detail ?? "")")
        }
        for options in [try authority.issue("DNS:localhost"), try authority.selfSigned("DNS:localhost")] {
            let server = try TLSServer(options)
            let error = await failure(of: HTTPRequest(.get, try server.address()), try CurlHTTPTransport(.init()))
            #expect(error?.detail.contains("from an authority that is not known here") == true)
        }
    }

    @Test func below12IsRefused() async throws {
        let options = try authority.issue("DNS:localhost")
        let old = try TLSServer(options + ["-tls1_1", "-cipher", "DEFAULT:@SECLEVEL=0"])
        try await expectRefusal(of: old, .init(authorityFile: authority.file))
        let transport = try CurlHTTPTransport(.init(authorityFile: authority.file))
        let good = try TLSServer(options + ["-tls1_2"])
        #expect(try await transport.send(HTTPRequest(.get, try good.address())).status == 200)
    }

    @Test func thatIsNoneFails() async throws {
        try await withServer { connection in
            connection.write("220 mail.example.com ESMTP\r\n")
        } _: { server, transport in
            let address = try WebAddress("https://localhost:\(server.port)/")
            let error = await failure(of: HTTPRequest(.get, address), transport)
            #expect(error?.code == .tlsFailed, "\(String(describing: error))")
            #expect(error?.requestMayHaveBeenSent == false)
        }
    }

    @Test func needsItsAuthorityFile() {
        #expect(throws: CurlSetupError.self) { try CurlHTTPTransport(.init(authorityFile: "/nonexistent/ca.pem")) }
    }

    private func expectRefusal(of server: TLSServer, _ configuration: CurlHTTPTransport.Configuration) async throws {
        let error = await failure(of: HTTPRequest(.get, try server.address()), try CurlHTTPTransport(configuration))
        #expect(error?.code == .tlsFailed, "\(String(describing: error))")
        #expect(error?.requestMayHaveBeenSent == false)
    }
}
