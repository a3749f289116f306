// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskTestKit
import Patience
import Testing

/// A trusted authority wrongly certifies a second server of the same name. That server is a perfect copy, with the
/// users and secrets of the first, so only its key differs.
@Suite("A server with another key than the pinned one gets no request", .fewAtATime)
struct PinnedServerTests {
    private static let user = "alice@example.com"
    private static let pin = "739154"

    let scratch: Scratch
    let authority: TestAuthority

    init() throws {
        scratch = try Scratch()
        authority = try TestAuthority()
        for name in ["honest", "false"] { _ = try authority.issue("IP:127.0.0.1", for: name) }
        // The authority is configured, as by a company with its own.
        try scratch.write("network: {ca-file: \(authority.file)}\n", to: "config/config.yaml")
    }

    private func kiosk(_ arguments: [String], input: String = "") async throws -> Program.Run {
        try await scratch.kiosk(arguments, input: input)
    }

    private func serve(_ name: String, port: String = "0") async throws -> (program: BackgroundProgram, site: String) {
        try await BackgroundProgram.backend(
            [
                "--log-level", "debug", "--tls-cert", authority.certificateFile(of: name), "--tls-key",
                authority.keyFile(of: name),
            ], listen: "127.0.0.1:\(port)", in: scratch)
    }

    private func password() async throws -> Program.Run {
        try await kiosk(["otp", "--user", Self.user, "--json"], input: Self.pin + "\n")
    }

    private func enroll(at site: String) async throws {
        let registration = ["enroll", "--backend", site, "--user", Self.user, "--wait", "0"]
        try await kiosk(registration).expect(88)
        try await Program("login-kiosk").run(
            ["backend", "activate", Self.user, "--state", scratch.path("backend")]).expect(0)
        try await kiosk(registration, input: Self.pin + "\n").expect(0)
    }

    /// The lines of a server's log that tell what it was asked.
    private func requests(to server: BackgroundProgram) -> [Substring] {
        server.errorText.split(separator: "\n").filter { $0.contains(" route=") }
    }

    @Test func story() async throws {
        let (honestPin, falsePin) = (try authority.pin(of: "honest"), try authority.pin(of: "false"))
        // The copy comes to this port later.
        let port = "\(try LoopbackListener.freePort())"
        let (honest, site) = try await serve("honest", port: port)
        let host = String(site.dropFirst("https://".count))

        try await kiosk(["trust", "pin", host]).expect(
            0, "trust add \(host) --pin \(honestPin)", printing: "\(host) \(honestPin)\n")
        try await kiosk(["trust", "add", host]).expect(0)
        try await enroll(at: site)
        try await password().expect(0)
        #expect(try await honest.end() == 0)

        // Without a pin the mistake of any authority suffices.
        let (copy, _) = try await serve("false", port: port)
        try await password().expect(0)
        let heard = requests(to: copy)
        #expect(heard.contains { $0.contains("/rps/pass1") }, "the copy's log shows what it was asked: \(heard)")

        try await kiosk(["trust", "add", host, "--pin", honestPin]).expect(
            0, "one pin only", "backup key", printing: "trusted: \(host) \(honestPin)\n")
        try await password().expect(94, "trust pin \(host)", outcome: "serverKeyRefused")
        let code = String(repeating: "5a", count: 16)
        try await kiosk(
            ["login", "--user", Self.user, "--log-level", "trace"], input: "\(site)#\(code)\n\(Self.pin)\n"
        ).expect(94, "hint: see which host")
        try await kiosk(
            ["enroll", "--backend", site, "--user", "bob@example.com", "--wait", "0", "--json"]).expect(
                94, outcome: "serverKeyRefused")
        let doctor = try await kiosk(["doctor", "--online", "--source", "/nonexistent/camera"])
        #expect(doctor.output.contains("the server's key is none of those pinned for \(host)"), "\(doctor)")
        let other = try await kiosk(["trust", "pin", host, "--json"])
        #expect(other.output.contains(falsePin) && other.output.contains(#""listed":["\#(honestPin)"]"#), "\(other)")
        #expect(requests(to: copy) == heard, "it was asked something")

        // The service announces this backup key: both are pinned, and then the old one is removed.
        #expect(
            try await kiosk(["trust", "add", host, "--pin", falsePin.replacing("pin-sha256:", with: "sha256/")]).status
                == 0)
        try await password().expect(0)
        let retired = try await kiosk(["trust", "remove", host, "--pin", honestPin])
        #expect(retired.status == 0 && retired.errors.isEmpty, "\(retired)")
        try await password().expect(0)
        #expect(try await kiosk(["trust", "list"]).output == "\(host) \(falsePin)\n")
        #expect(try await kiosk(["trust", "pin", host]).errors.contains("this key is on the trust list"))

        // Without pins the host is trusted as before.
        let last = try await kiosk(["trust", "remove", "\(host) \(falsePin)"])
        #expect(last.errors.contains("\(host) has no pins any more"), "\(last)")
        #expect(try await copy.end() == 0)
    }

    @Test func aCertificateThatIsNotValidHasNoPin() async throws {
        _ = try authority.issue("IP:127.0.0.1", dates: TestAuthority.past, for: "honest")
        let (server, site) = try await serve("honest")
        try await kiosk(["trust", "pin", String(site.dropFirst("https://".count))]).expect(
            69, "own: --ca-file", printing: "")
        #expect(try await server.end() == 0)
        try await kiosk(["trust", "pin", String(site.dropFirst("https://".count))]).expect(69, "hint: look at network")
    }
}
