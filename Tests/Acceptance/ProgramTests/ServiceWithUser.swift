// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskPorts
import Testing

/// A backend in a process of its own, and a kiosk's files with a registered user.
final class ServiceWithUser {
    let site: String
    /// Options that name the kiosk's files.
    let places: [String]
    private var pin = ""
    private let dialect: OperatorDialect
    private let backend: BackgroundProgram
    private let client: SiteClient
    /// Options that name the storage of the backend's users.
    private let store: [String]

    /// A service without registered users.
    ///
    /// - Parameters:
    ///   - dialect: the backend's dialect.
    ///   - options: the backend's options.
    ///   - database: the database's address.
    init(
        in scratch: Scratch, dialect: OperatorDialect = .milagro, options: [String] = [], database: String? = nil
    ) async throws {
        self.dialect = dialect
        let database = database.map { ["--database", $0] } ?? []
        store = ["--state", scratch.path("backend")] + database
        (backend, site) = try await BackgroundProgram.backend(
            ["--dialect", dialect.rawValue] + dialect.companyOption + database + options, in: scratch)
        client = SiteClient(site: site)
        places = scratch.places
        try await trust(on: places)
    }

    convenience init(user: String, pin: String, in scratch: Scratch, database: String? = nil) async throws {
        try await self.init(in: scratch, database: database)
        self.pin = pin
        try await enroll(user, pin: pin)
    }

    var processID: Int32 { backend.processID }

    /// The domain on the consent screen.
    var host: String { String(site.dropFirst("http://".count)) }

    /// The options of every command of a device that uses this service.
    func options(_ places: [String]) -> [String] { places + ["--allow-loopback-http"] + dialect.companyOption }

    /// - Parameter other: the files of a device other than the kiosk.
    func enroll(_ user: String, pin: String, on other: [String]? = nil) async throws {
        let kiosk = try Program("login-kiosk")
        let registration =
            ["enroll", "--backend", site, "--user", user, "--wait", "0"] + applicationOption + options(other ?? places)
        let begun = try await kiosk.run(registration).expect(88)
        var answers = [pin]
        if dialect.isTrust {
            answers.insert(try await mailedLink(to: user), at: 0)
        } else {
            #expect(begun.errors.contains("open the link in the mail"), "\(begun)")
            // No command can find the platform's open registrations.
            try await dialect.registersForPages ? followMail(to: user) : activate(user)
        }
        try await kiosk.run(registration, input: answers.map { $0 + "\n" }.joined()).expect(0)
    }

    /// Makes a device that trusts this service and has no registered user.
    func otherDevice(_ name: String, in scratch: Scratch) async throws -> [String] {
        let places = ["--state", scratch.path("state-\(name)"), "--config", scratch.path("config-\(name)")]
        try await trust(on: places)
        return places
    }

    /// Makes a registration code.
    func code(of user: String, pin: String, on places: [String]) async throws -> String {
        let run = try await Program("login-kiosk").run(
            ["registration-code", "--user", user] + options(places), input: pin + "\n"
        ).expect(0)
        return run.output.trimmingCharacters(in: .newlines)
    }

    /// Registers with a registration code.
    func join(_ user: String, code: String, pin: String, on places: [String]) async throws {
        try await Program("login-kiosk").run(
            ["enroll", "--backend", site, "--user", user, "--code"] + applicationOption + options(places),
            input: "\(code)\n\(pin)\n"
        ).expect(0)
    }

    private func trust(on places: [String]) async throws {
        try await Program("login-kiosk").run(["trust", "add", host] + places).expect(0)
    }

    /// Allows the service to name another host, such as a D-TA's.
    func allow(_ other: String) async throws {
        try await Program("login-kiosk").run(["trust", "add", "\(host) -> \(other)"] + places).expect(0)
    }

    /// Waits until D-TAs elsewhere have given their shares of the server secret.
    func waitForLogins() async throws { try await backend.error(containing: "both D-TAs have answered") }

    /// In dialects that register identities only for a session, an option for a session of the web site.
    private var applicationOption: [String] { dialect.registersForPages ? ["--application", site] : [] }

    /// Confirms a registration in place of the mail's link.
    func activate(_ user: String) async throws {
        try await Program("login-kiosk").run(["backend", "activate", user] + store).expect(0)
    }

    /// The newest mail to a user.
    func mail(to user: String) async throws -> SiteClient.Mail {
        // Unless the outbox is public, the address has its password.
        let address = try? String(contentsOfFile: store[1] + "/outbox-address", encoding: .utf8)
        let outbox = address?.trimmingCharacters(in: .newlines) ?? site + "/outbox"
        return try #require(try await client.mails(in: outbox).first { $0.to == user }, "no mail to \(user)")
    }

    /// The page behind the link in that mail.
    func mailedLink(to user: String) async throws -> String {
        try await client.page(behind: try await mail(to: user).link)
    }

    /// Follows that link and presses the page's button.
    func followMail(to user: String) async throws { try await client.follow(try await mail(to: user).link) }

    /// Runs a kiosk on a terminal, where a person consents to the first code and types the PIN.
    func logIn(source: String, in scratch: Scratch, polling browsers: [SiteClient]) async throws {
        let terminal = try runKiosk(source: source, in: scratch)
        try await terminal.shows("Do you want to log in here?")
        try await terminal.press(.enter)
        try await terminal.shows("Enter your PIN")
        try await terminal.press(digits: pin)
        try await terminal.press(.enter)
        try await terminal.shows("Login successful", polling: browsers)
        #expect(try await terminal.end() == 0, "\(terminal.errorText)")
    }

    /// Runs a kiosk on a terminal.
    func runKiosk(source: String, in scratch: Scratch) throws -> FlowTerminal {
        try FlowTerminal(["run", "--source", source, "--allow-loopback-http"] + places, in: scratch)
    }

    /// Starts another process of this backend, at another loopback address. Its pages lead to the first one's.
    func another(in scratch: Scratch) async throws -> (program: BackgroundProgram, site: String) {
        let place = host.replacing("127.0.0.1", with: "127.0.0.2")
        let (program, _) = try await BackgroundProgram.backend(
            ["--public-url", site] + store.dropFirst(2), listen: place, in: scratch)
        return (program, "http://\(place)")
    }

    func end() async throws { #expect(try await backend.end() == 0, "\(backend.errorText)") }
}
