// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinuxSystem
import Logging
import Patience
import Testing

@testable import MetricsService

/// The requests, and who may send them.
@Suite(.timeLimit(.minutes(10))) struct MetricsServerTests {
    private static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private static let answers = OperatorAnswers(
        metrics: { MetricTextTests.sample() }, status: { Array(#"{"version":1}"#.utf8) }, ailment: { nil })

    private func serve(
        _ answers: OperatorAnswers = answers, limits: MetricsServer.Limits = MetricsServer.Limits(),
        _ body: @Sendable @escaping (Int) async throws -> Void
    ) async throws {
        let server = MetricsServer(at: .port(0), answers, limits: limits, logger: Self.quiet)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try? await server.run() }
            let port = try await server.boundPort.value
            let result: Result<Void, any Error>
            do { result = .success(try await body(port)) } catch { result = .failure(error) }
            group.cancelAll()
            try await group.waitForAll()
            try result.get()
        }
    }

    private static func ask(_ port: Int, _ line: String, host: String? = nil) throws -> String {
        let connection = try LoopbackConnection(port: port)
        connection.send("\(line) HTTP/1.1\r\nHost: \(host ?? "127.0.0.1:\(port)")\r\nConnection: close\r\n\r\n")
        connection.receiveToEnd()
        return connection.text
    }

    @Test func threeQuestions() async throws {
        try await serve { port in
            let metrics = try Self.ask(port, "GET /metrics")
            #expect(metrics.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(metrics.lowercased().contains("content-type: text/plain; version=0.0.4; charset=utf-8\r\n"))
            #expect(metrics.hasSuffix("\r\n\r\n" + MetricText.text(of: MetricTextTests.sample())))
            #expect(try Self.ask(port, "GET /status").hasSuffix(#"{"version":1}"#))
            #expect(try Self.ask(port, "GET /healthz").hasSuffix("\r\n\r\nok\n"))
            let head = try Self.ask(port, "HEAD /metrics")
            #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n") && head.hasSuffix("\r\n\r\n"))
            for line in ["GET /", "POST /metrics", "GET /metrics/../secret", "DELETE /status"] {
                #expect(try Self.ask(port, line).hasPrefix("HTTP/1.1 404"), "\(line)")
            }
        }
    }

    @Test func whatIsWrongIsTold() async throws {
        let answers = OperatorAnswers(
            metrics: { [] }, status: { throw CancellationError() }, ailment: { "no camera gives pictures" })
        try await serve(answers) { port in
            let health = try Self.ask(port, "GET /healthz")
            #expect(health.hasPrefix("HTTP/1.1 503") && health.hasSuffix("\r\n\r\nno camera gives pictures\n"))
            #expect(!(try Self.ask(port, "GET /status").hasPrefix("HTTP/1.1 200")))
            #expect(try Self.ask(port, "GET /metrics").hasPrefix("HTTP/1.1 200"))
        }
    }

    @Test(arguments: ["evil.example.com", "127.0.0.1.evil.example.com", "", "[::1]"])
    func aNameOfAnotherSiteIsNotAnswered(_ host: String) async throws {
        try await serve { port in
            let answer = try Self.ask(port, "GET /metrics", host: host)
            #expect(!answer.hasPrefix("HTTP/1.1 200") && !answer.contains("sessions_total"), "\(answer)")
        }
    }

    /// With two hosts a proxy in front may have read the other one.
    @Test func twoHostsAreRefused() async throws {
        try await serve { port in
            for path in ["/metrics", "/status", "/healthz", "/nothing"] {
                for hosts in [
                    "127.0.0.1:\(port)\r\nHost: evil.example.com", "evil.example.com\r\nhost: 127.0.0.1:\(port)",
                    "127.0.0.1:\(port)\r\nHOST: 127.0.0.1:\(port)", "localhost\r\nHost:",
                ] {
                    let answer = try Self.ask(port, "GET \(path)", host: hosts)
                    #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(path) \(hosts): \(answer)")
                }
            }
        }
    }

    /// More connections than there is room for, each with an incomplete request. They are dropped, and a complete
    /// request is answered.
    @Test func halfRequestsKeepNobodyOut() async throws {
        var limits = MetricsServer.Limits()
        limits.idle = .milliseconds(300)
        limits.connections = 4
        try await serve(limits: limits) { port in
            let hostile = try (0..<12).map { _ in try LoopbackConnection(port: port) }
            for connection in hostile { connection.send("GET /metrics HTTP/1.1\r\nHost: 127.0.0.1") }
            #expect(try Self.ask(port, "GET /healthz").hasSuffix("ok\n"))
            for connection in hostile {
                connection.receiveToEnd()
                #expect(connection.hasEnded)
            }
        }
    }

    /// A client that asks until it is closed, and reads nothing.
    @Test func aClientThatNeverReadsIsClosed() async throws {
        var limits = MetricsServer.Limits()
        limits.stall = .milliseconds(100)
        limits.connections = 1
        try await serve(limits: limits) { port in
            let hostile = try LoopbackConnection(port: port)
            while hostile.send("GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n") {}
            #expect(try Self.ask(port, "GET /healthz").hasSuffix("ok\n"))
        }
    }

    @Test func aHeadWithoutEndIsRefused() async throws {
        try await serve { port in
            for piece in [String(repeating: "a", count: 100_000), "A: b\r\n"] {
                let connection = try LoopbackConnection(port: port)
                connection.send("GET /metrics HTTP/1.1\r\nX: ")
                for _ in 0..<20_000 where !connection.send(piece) { break }
                connection.receiveToEnd()
                #expect(connection.hasEnded && !connection.text.hasPrefix("HTTP/1.1 200"), "\(connection.text)")
                #expect(try Self.ask(port, "GET /healthz").hasSuffix("ok\n"))
            }
        }
    }

    @Test func aSocketIsForItsOwnerAndReplacesAnOldOne() async throws {
        let path = "/tmp/metrics-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        // A killed process leaves its socket behind.
        for _ in 0..<2 {
            let server = MetricsServer(at: .socket(path), Self.answers, logger: Self.quiet)
            let task = Task { try await server.run() }
            _ = try await server.boundPort.value
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(attributes[.type] as? FileAttributeType == .typeSocket)
            task.cancel()
            _ = try? await task.value
        }
    }

    @Test func aPlaceThatIsTakenEndsNothing() async throws {
        try await serve { port in
            let server = MetricsServer(at: .port(port), Self.answers, logger: Self.quiet)
            let task = Task { try? await server.run() }
            let bound = try? await server.boundPort.value
            let answer = try Self.ask(port, "GET /healthz")
            task.cancel()
            _ = await task.value
            #expect(bound == nil && answer.hasSuffix("ok\n"))
        }
    }
}
