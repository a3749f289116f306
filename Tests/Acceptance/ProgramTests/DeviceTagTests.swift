// SPDX-License-Identifier: Apache-2.0

import Foundation
import Patience
import Synchronization
import Testing

/// Every program that registers tells today's platform which installation it is.
@Suite(.fewAtATime) struct DeviceTagTests {
    @Test func isSentWithEachVerification() async throws {
        let platform = try Platform()
        defer { platform.stop() }
        let scratch = try Scratch()
        try await enroll("alice@example.com", at: platform, "one", in: scratch)
        try await enroll("bob@example.com", at: platform, "one", in: scratch)
        try await enroll("alice@example.com", at: platform, "another", in: scratch)
        let tags = platform.requests.map { $0.firstMatch(of: /"deviceTag":"([0-9a-f]{32})"/)?.output.1 ?? "" }
        try #require(tags.count == 3 && !tags.contains(""), "\(tags)")
        #expect(tags[0] == tags[1] && tags[0] != tags[2])
        // With a damaged one people can register all the same, and the operator is told.
        try scratch.write("x", to: "state-one/device-tag")
        try await enroll("carol@example.com", at: platform, "one", in: scratch).expect(
            88, "state-one/device-tag holds no device tag; remove it")
        #expect(platform.requests.last?.contains("deviceTag") == false)
    }

    /// Asks for a registration mail at a kiosk.
    @discardableResult
    private func enroll(
        _ user: String, at platform: Platform, _ kiosk: String, in scratch: Scratch
    ) async throws -> Program.Run {
        let program = try Program("login-kiosk")
        let places = ["--state", scratch.path("state-\(kiosk)"), "--config", scratch.path("config-\(kiosk)")]
        try await program.run(["trust", "add", platform.host] + places).expect(0)
        return try await program.run(
            ["enroll", "--backend", "http://\(platform.host)", "--user", user, "--wait", "0", "--allow-loopback-http"]
                + places
        ).expect(88)
    }

    /// A project that only sends mails.
    private final class Platform: Sendable {
        private let listener: LoopbackListener
        private let mails = Mutex<[String]>([])

        init() throws {
            listener = try LoopbackListener()
            listener.serve { [weak self] connection in
                guard let request = WireMessage(from: connection), let self else { return }
                connection.send(reply(to: request).bytes)
            }
        }

        var host: String { "127.0.0.1:\(listener.port)" }

        /// The bodies of the requests for mails so far.
        var requests: [String] { mails.withLock { $0 } }

        func stop() { listener.stop() }

        private func reply(to request: WireMessage) -> WireMessage {
            switch request.start {
            case "GET /.well-known/project-configuration": return .reply("200 OK", #"{"id":"project"}"#)
            case "POST /verification/email":
                mails.withLock { $0.append(request.bodyText) }
                return .reply("200 OK", #"{"backoff":0,"method":"link"}"#)
            default: return .reply("404 Not Found", "")
            }
        }
    }
}
