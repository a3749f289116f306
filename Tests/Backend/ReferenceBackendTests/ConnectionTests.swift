// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Patience
import Testing

@testable import ReferenceBackend

/// The uses of one connection.
@Suite struct ConnectionTests {
    /// - Returns: everything until the server closed. The client closes its side if `thenCloses`.
    private func exchange(_ text: String, thenCloses: Bool) async throws -> String {
        try await withBackend { backend in
            try await LoopbackConnection.apart {
                let connection = try LoopbackConnection(port: backend.addresses.publicPort)
                connection.send(text)
                if thenCloses { connection.endSending() }
                connection.receiveToEnd()
                return connection.text
            }
        }
    }

    private static func request(_ path: String, _ fields: String = "") -> String {
        "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n"
    }

    private static func statuses(_ text: String) -> [Int] {
        text.split(separator: "HTTP/1.1 ").compactMap { Int($0.prefix(3)) }
    }

    /// Far more requests than may wait, from a client that sends before it reads.
    @Test func requestsThatComeAtOnceAreAnsweredInTheirOrder() async throws {
        let pairs = 500
        let text = String(repeating: Self.request("/healthz") + Self.request("/nothing"), count: pairs)
        let last = Self.request("/nothing", "Connection: close\r\n")
        let received = try await exchange(text + last, thenCloses: false)
        #expect(Self.statuses(received) == Array(repeating: [200, 404], count: pairs).flatMap(\.self) + [404])
        #expect(received.contains("\r\nDate: ") || received.contains("\r\ndate: "))
    }

    @Test func aClientThatClosesItsSideIsAnswered() async throws {
        let received = try await exchange(Self.request("/healthz") + Self.request("/nothing"), thenCloses: true)
        #expect(Self.statuses(received) == [200, 404])
    }

    @Test func whatIsNoHTTPIsRefusedBehindTheAnswers() async throws {
        let received = try await exchange(Self.request("/healthz") + "\u{1}rubbish\r\n\r\n", thenCloses: false)
        #expect(Self.statuses(received) == [200, 400])
    }

    @Test func nothingIsAnsweredBehindTheLastRequest() async throws {
        let text = Self.request("/healthz", "Connection: close\r\n") + Self.request("/nothing")
        #expect(Self.statuses(try await exchange(text, thenCloses: false)) == [200])
    }

    /// The end of such a body is unknown, and the connection ends with the answer.
    @Test(
        arguments: [
            ("Transfer-Encoding: chunked", "zz\r\nabc\r\n0\r\n\r\n", 400),
            ("Transfer-Encoding: chunked", "3\r\nabcdef\r\n0\r\n\r\n", 400),
            ("Transfer-Encoding: chunked", "ffffffffffffffffff\r\n", 400),
            ("Transfer-Encoding: chunked", "3\r\nabc\r\n0\r\nno field\r\n\r\n", 400),
            ("Transfer-Encoding: gzip", "abc", 501), ("Transfer-Encoding: gzip, identity", "abc", 501),
            // Chunked has to be the last. RFC 9112, section 6.3.
            ("Transfer-Encoding: chunked, gzip", "3\r\nabc\r\n0\r\n\r\n", 400),
            ("Content-Length: 3\r\nTransfer-Encoding: chunked", "0\r\n\r\n", 400),
            ("Content-Length: 3\r\nContent-Length: 4", "abcd", 400), ("Content-Length: -1", "", 400),
            ("Content-Length: 99999999999999999999", "abc", 400),
        ])
    func aBodyWithoutAnEndIsRefused(_ field: String, _ body: String, _ status: Int) async throws {
        let request = "POST /rps/getQrUrl HTTP/1.1\r\nHost: localhost\r\n\(field)\r\n\r\n" + body
        #expect(Self.statuses(try await exchange(request, thenCloses: false)) == [status], "\(field)")
    }

    /// A client waits for the reply before it sends the body, behind the answer to an earlier request.
    @Test func aBodyIsAskedForWhereTheClientWaits() async throws {
        try await withBackend { backend in
            let received = try await LoopbackConnection.apart {
                let connection = try LoopbackConnection(port: backend.addresses.publicPort)
                connection.send(Self.request("/healthz"))
                connection.send(
                    "POST /rps/getQrUrl HTTP/1.1\r\nHost: localhost\r\nExpect: 100-Continue\r\n"
                        + "Connection: close\r\nContent-Length: 2\r\n\r\n")
                _ = connection.receive(until: "100 Continue\r\n\r\n")
                connection.send("{}")
                connection.receiveToEnd()
                return connection.text
            }
            #expect(Self.statuses(received) == [200, 100, 200])
        }
    }
}
