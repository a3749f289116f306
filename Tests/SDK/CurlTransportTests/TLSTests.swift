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

    /// The operator's log and `doctor` have these words.
    @Test(
        arguments: [
            ("DNS:localhost", TestAuthority.past, "certificate has expired, by this machine's clock"),
            ("DNS:localhost", TestAuthority.future, "certificate is not valid yet, by this machine's clock"),
            ("DNS:login.example.com,IP:127.0.0.2", nil, "certificate is for another name"),
            // The subject has the right name, which is not accepted there.
            (nil, nil, "subjectAltName"),
        ] as [(String?, (first: String, last: String)?, String)]) func aRefusalNamesItsReason(
            _ names: String?, _ dates: (first: String, last: String)?, _ words: String
        )
        async throws
    {
        let server = try TLSServer(try authority.issue(names, dates: dates))
        try await expectRefusal(of: server, .init(authorityFile: authority.file), words)
    }

    @Test func ofAnUnknownAuthorityIsRefused() async throws {
        let words = "certificate is from an authority that is not known here"
        for options in [try authority.issue("DNS:localhost"), try authority.selfSigned("DNS:localhost")] {
            let server = try TLSServer(options)
            try await expectRefusal(of: server, .init(), words)
            let stranger = try TestAuthority()
            try await expectRefusal(of: server, .init(authorityFile: stranger.file), words)
        }
        try await expectRefusal(
            of: try TLSServer(try authority.selfSigned("DNS:localhost")), .init(authorityFile: authority.file), words)
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

    private func expectRefusal(
        of server: TLSServer, _ configuration: CurlHTTPTransport.Configuration, _ words: String = ""
    ) async throws {
        let error = await failure(of: HTTPRequest(.get, try server.address()), try CurlHTTPTransport(configuration))
        #expect(error?.code == .tlsFailed && error?.requestMayHaveBeenSent == false, "\(String(describing: error))")
        #expect(words.isEmpty || error?.detail.contains(words) == true, "\(error?.detail ?? "")")
    }
}
