// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// A backend with one dialect, and devices whose operator runs commands. Every command logs at its finest level.
final class OperatorStage {
    let dialect: OperatorDialect
    let scratch: Scratch
    let site: String
    private let program: Program
    private let backend: BackgroundProgram
    private let outbox: String
    private let client: SiteClient

    init(_ dialect: OperatorDialect) async throws {
        self.dialect = dialect
        scratch = try Scratch()
        program = try Program("login-kiosk")
        let arguments =
            [
                "backend", "--listen", "127.0.0.1:0", "--admit", "anybody", "--state", scratch.path("backend"),
                "--dialect", dialect.rawValue,
            ]
            + dialect.companyOption
        backend = try BackgroundProgram("login-kiosk", arguments, in: scratch)
        site = try await backend.line(after: "serving ")
        client = SiteClient(site: site)
        outbox = try String(contentsOfFile: scratch.path("backend/outbox-address"), encoding: .utf8)
            .trimmingCharacters(in: .newlines)
        for device in ["first", "second"] {
            let trust = try await program.run(
                ["trust", "add", String(site.dropFirst("http://".count))] + directories(device))
            try #require(trust.status == 0, "\(trust)")
        }
    }

    private func directories(_ device: String) -> [String] {
        ["--state", scratch.path("state-\(device)"), "--config", scratch.path("config-\(device)")]
    }

    /// The options of every command of a device.
    func options(_ device: String = "first") -> [String] {
        directories(device) + ["--allow-loopback-http", "--log-level", "trace"] + dialect.companyOption
    }

    /// Runs a command.
    ///
    /// - Parameter lines: the lines of standard input. The log must not contain them.
    func run(
        _ arguments: String..., with more: [String] = [], lines: [String] = [], on device: String = "first",
        environment: [String: String] = [:]
    ) async throws -> Program.Run {
        var program = program
        program.environment = environment
        let run = try await program.run(
            arguments + more + options(device), input: lines.map { $0 + "\n" }.joined())
        // A shorter line may occur in a time or number.
        for line in lines where line.count > 5 {
            #expect(!run.errors.contains(line) && !run.output.contains(line), "\(line) is in \(run)")
        }
        return run
    }

    /// Runs commands of the backend's operator.
    func backend(_ arguments: String...) async throws {
        let run = try await program.run(["backend"] + arguments + ["--state", scratch.path("backend")])
        try #require(run.status == 0, "\(run)")
    }

    /// The link in the newest mail.
    func mailedLink() async throws -> String { try await client.mailedLink(in: outbox) }

    /// Follows the link of an activation mail, like a browser.
    func follow(_ link: String) async throws { try await client.follow(link) }

    /// Opens a session of a login page.
    func page() async throws -> OperatorPage {
        let session: [String: Any]
        switch dialect {
        case .milagro, .mfaV1: session = try await client.post("/rps/getQrUrl", [:])
        case .mfaV2:
            let url = try #require(try await client.get("/authzurl")["authorizeURL"] as? String)
            session = try await client.post(String(url.dropFirst(site.count)), [:])
        case .trust2023, .trust2025:
            session = try await client.post("/rps/v2/session", ["projectId": try await project()])
        }
        return try OperatorPage(session, dialect, client)
    }

    /// Opens a session that waits for a signature.
    ///
    /// - Returns: the text of its QR code.
    func signingSession(hash: String) async throws -> String {
        let project = try await project()
        let session =
            dialect == .trust2025
            ? try await client.post(
                "/rps/v2/session", ["projectId": project, "hash": hash, "description": "Pay five"])
            : try await client.post(
                "/dvs/session", ["projectID": project, "hash": hash, "description": "Pay five"])
        return try #require(session["qrURL"] as? String)
    }

    private func project() async throws -> String {
        try #require(try await client.get("/.well-known/project-configuration")["id"] as? String)
    }
}
