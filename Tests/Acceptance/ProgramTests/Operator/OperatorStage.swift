// SPDX-License-Identifier: Apache-2.0

import Foundation
import Patience
import Testing

/// A backend with one dialect, and devices whose operator runs commands. Every command logs at its finest level.
final class OperatorStage {
    static let user = "alice@example.com"

    let dialect: OperatorDialect
    let scratch: Scratch
    let service: ServiceWithUser
    private let client: SiteClient
    private let devices: [String: [String]]

    init(_ dialect: OperatorDialect) async throws {
        self.dialect = dialect
        scratch = try Scratch()
        service = try await ServiceWithUser(in: scratch, dialect: dialect)
        client = SiteClient(site: service.site)
        devices = [
            "first": scratch.places, "second": try await service.otherDevice("second", in: scratch),
        ]
    }

    var site: String { service.site }

    /// The options of every command of a device.
    func options(_ device: String = "first") -> [String] { service.options(devices[device] ?? []) }

    /// Runs a command.
    ///
    /// - Parameter lines: the lines of standard input. The log must not contain them.
    func run(
        _ arguments: String..., with more: [String] = [], lines: [String] = [], on device: String = "first",
        environment: [String: String] = [:]
    ) async throws -> Program.Run {
        var program = try Program("login-kiosk")
        program.environment = environment
        let run = try await program.run(
            arguments + more + options(device) + ["--log-level", "trace"], input: lines.map { $0 + "\n" }.joined())
        // A shorter line may occur in a time or number.
        for line in lines where line.count > 5 {
            #expect(!run.errors.contains(line) && !run.output.contains(line), "\(line) is in \(run)")
        }
        return run
    }

    /// Registers the user at a platform that verifies by mail. If the platform delays another mail, it waits.
    func enroll(pin: String, environment: [String: String] = [:]) async throws -> Program.Run {
        let place = ["--backend", site, "--user", Self.user]
        try await Patience.until(every: .seconds(1)) {
            let mailed = try await run("enroll", with: place)
            if mailed.status != 75 { mailed.expect(88) }
            return mailed.status != 75
        }
        return try await run(
            "enroll", with: place, lines: [try await mailedLink(), pin], environment: environment)
    }

    /// Runs a command of the backend's operator.
    func backend(_ arguments: String...) async throws {
        try await Program("login-kiosk").run(["backend"] + arguments + ["--state", scratch.path("backend")]).expect(0)
    }

    /// The link in the newest mail.
    func mailedLink() async throws -> String { try await service.mail(to: Self.user).link }

    /// Follows the link of the newest mail, like a browser.
    func followMail() async throws { try await service.followMail(to: Self.user) }

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
        let session = try await client.post(
            "/rps/v2/session", ["projectId": try await project(), "hash": hash, "description": "Pay five"])
        return try #require(session["qrURL"] as? String)
    }

    private func project() async throws -> String {
        try #require(try await client.get("/.well-known/project-configuration")["id"] as? String)
    }
}
