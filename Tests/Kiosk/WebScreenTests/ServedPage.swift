// SPDX-License-Identifier: Apache-2.0

import Glibc
import Logging
import Patience
import Signage
import Testing
import LinuxSystem

@testable import WebScreen

/// A page that is served during a test.
struct ServedPage {
    let screen: PageScreen
    let port: Int

    static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    static func with(
        hasKeys: Bool = false, limits: PageScreen.Limits = PageScreen.Limits(),
        _ body: @Sendable @escaping (ServedPage) async throws -> Void
    ) async throws {
        let screen = PageScreen(port: 0, languages: .standard, hasKeys: hasKeys, limits: limits, logger: quiet)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try? await screen.run() }
            let page = ServedPage(screen: screen, port: try await screen.boundPort.value)
            let result: Result<Void, any Error>
            do { result = .success(try await body(page)) } catch { result = .failure(error) }
            group.cancelAll()
            try await group.waitForAll()
            try result.get()
        }
    }

    func connect() throws -> LoopbackConnection { try LoopbackConnection(port: port) }

    /// The answer to one request on a new connection.
    func answer(_ head: String, host: String? = nil, headers: [String] = [], body: String = "") throws -> String {
        let connection = try connect()
        let lines = ["\(head) HTTP/1.1", "Host: \(host ?? "127.0.0.1:\(port)")", "Connection: close"]
        connection.send((lines + headers + ["Content-Length: \(body.utf8.count)", "", body]).joined(separator: "\r\n"))
        connection.receiveToEnd()
        return connection.text
    }

    /// The token, which only the file for the browser contains.
    var token: String { screen.token.text }

    /// A connection that has asked for the stream of events.
    func events(
        receiveBuffer: Int32? = nil, as user: uid_t? = nil, headers: [String] = []
    ) throws -> LoopbackConnection {
        let connection = try LoopbackConnection(port: port, receiveBuffer: receiveBuffer, user: user)
        let lines = ["GET /events HTTP/1.1", "Host: 127.0.0.1:\(port)"] + (user == nil ? [] : ["Connection: close"])
        connection.send((lines + headers + ["", ""]).joined(separator: "\r\n"))
        return connection
    }
}
