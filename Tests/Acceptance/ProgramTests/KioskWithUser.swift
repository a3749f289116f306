// SPDX-License-Identifier: Apache-2.0

import Foundation
import Patience
import Testing

/// A running backend, a server in front of it that can lie, and a state directory with one registered user.
final class KioskWithUser {
    static let user = "alice@example.com"
    /// Six digits that no time and no number in a log contains by accident.
    static let pin = "739154"

    let scratch: Scratch
    let program: Program
    let server: LyingServer
    private let backend: BackgroundProgram
    private let backendPort: UInt16
    /// The run of the registration, at the log's finest level.
    let registration: Program.Run
    let registrationExchanges: [(request: WireMessage, reply: WireMessage)]

    init() async throws {
        scratch = try Scratch()
        program = try Program("login-kiosk")
        let backendState = scratch.path("backend")
        let site: String
        (backend, site) = try await BackgroundProgram.backend(in: scratch)
        backendPort = try #require(site.split(separator: ":").last.flatMap { UInt16($0) })
        // The registration is activated before the reply goes out, as on a server that needs no mail.
        server = try LyingServer(before: backendPort) { [program] request, body in
            guard Endpoint.registration.matches(request) else { return body }
            let user = request.bodyText.firstMatch(of: /"userId":"([^"]*)"/)?.output.1 ?? ""
            _ = try? program.runBlocking(["backend", "activate", String(user), "--state", backendState])
            return body.replacing(#""active":false"#, with: #""active":true"#)
        }
        let places = ["--state", scratch.path("state"), "--config", scratch.path("config")]
        try await program.run(["trust", "add", "127.0.0.1:\(server.port)"] + places).expect(0)
        registration = try await program.run(
            ["enroll", "--backend", server.base, "--user", Self.user] + places + KioskWithUser.options,
            input: Self.pin + "\n")
        try #require(registration.status == 0, "\(registration)")
        registrationExchanges = server.takeExchanges()
    }

    deinit { server.stop() }

    private static let options = ["--allow-loopback-http", "--json", "--log-level", "trace"]

    /// A code that a browser would show.
    func accessCode() async throws -> String {
        let session = try await SiteClient(site: "http://127.0.0.1:\(backendPort)").post("/rps/getQrUrl", [:])
        return try #require((session["qrUrl"] as? String)?.split(separator: "#").last.map(String.init))
    }

    /// Logs in on a copy of the state right after the registration.
    ///
    /// - Parameters:
    ///   - pin: nil gives no line.
    ///   - base: the base of the QR code; nil for the service's own.
    ///   - lines: further lines of the trust list.
    func logIn(
        _ accessCode: String, pin: String? = KioskWithUser.pin, at base: String? = nil, trusting lines: [String] = []
    ) async throws -> Program.Run {
        try await onACopy { places in
            if !lines.isEmpty {
                try await program.run(["trust", "add"] + lines + places).expect(0)
            }
            return try await program.run(
                ["login", "--user", Self.user] + places + KioskWithUser.options,
                input: "\(base ?? server.base)#\(accessCode)\n" + (pin.map { "\($0)\n" } ?? ""))
        }
    }

    func enroll(_ user: String) async throws -> Program.Run {
        try await onACopy { places in
            try await program.run(
                ["enroll", "--backend", server.base, "--user", user] + places + KioskWithUser.options,
                input: Self.pin + "\n")
        }
    }

    private func onACopy(_ body: ([String]) async throws -> Program.Run) async throws -> Program.Run {
        let copy = try Scratch()
        for name in ["state", "config"] {
            try FileManager.default.copyItem(
                at: scratch.url.appending(path: name), to: copy.url.appending(path: name))
        }
        return try await body(["--state", copy.path("state"), "--config", copy.path("config")])
    }
}
