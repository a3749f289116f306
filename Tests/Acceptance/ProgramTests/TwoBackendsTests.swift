// SPDX-License-Identifier: Apache-2.0

import Foundation
import PostgreSQLTestKit
import Testing

/// Backends in several processes, which share only files and a database.
@Suite(
    "Two backends on one database",
    .enabled(if: PostgreSQLServer.isInstalled, Comment(rawValue: PostgreSQLServer.absence)), .fewAtATime)
struct TwoBackendsTests {
    static let user = "dora@example.com"
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// The browser opens its page at one process, and the kiosk logs in at the other. Then the first one ends, and
    /// the second one knows the person.
    @Test func whatOneBeginsTheOtherEnds() async throws {
        let server = try PostgreSQLServer()
        let service = try await ServiceWithUser(user: Self.user, pin: "2583", in: scratch, database: server.address)
        let (second, site) = try await service.another(in: scratch)
        let browser = try await SiteClient(opening: site)
        try await browser.picture().write(to: scratch.url.appending(path: "code.png"))
        try await service.logIn(source: "file,loop:\(scratch.path("code.png"))", in: scratch, polling: [browser])
        #expect(try await browser.page("/protected").contains(Self.user))
        try await service.end()
        #expect(try await browser.page("/protected").contains(Self.user))
        try await Program("login-kiosk").run([
            "backend", "users", "--state", scratch.path("backend"), "--database", server.address,
        ]).expect(0, output: Self.user)
        #expect(try await second.end() == 0, "\(second.errorText)")
        // Nothing of it is in a file.
        #expect(!FileManager.default.fileExists(atPath: scratch.path("backend/backend.sqlite")))
    }

    /// A command about users needs only the database, named as for `psql`.
    @Test func usersAreInTheDatabaseAlone() async throws {
        let server = try PostgreSQLServer()
        var program = try Program("login-kiosk-backend")
        try await program.run(["users", "--json", "--database", server.address]).expect(0, output: "users")
        let parts = server.address.split(separator: " ").map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
        let names = ["host": "PGHOST", "port": "PGPORT", "user": "PGUSER", "dbname": "PGDATABASE"]
        for part in parts { program.environment[try #require(names[part[0]])] = part[1] }
        try await program.run(["revoke", Self.user, "--database", "postgresql://"]).expect(65, "no such user")
        #expect(!FileManager.default.fileExists(atPath: scratch.path("backend")))
    }

    @Test(arguments: [
        (["postgresql://kiosk:hunter2@localhost/kiosk"], 64, "passfile="), (["service=none"], 64, "pg_service.conf"),
        (["host=/nonexistent"], 69, "pg_isready"),
        (["postgresql://", "--database-connections", "0"], 64, "1 to 500"),
    ])
    func aDatabaseOfNoUseIsSaid(_ database: [String], _ status: Int32, _ hint: String) async throws {
        let run = try await Program("login-kiosk-backend").run(
            ["--listen", "127.0.0.1:0", "--admit", "anybody", "--state", scratch.path("backend"), "--database"]
                + database
        ).expect(status, "hint:", hint)
        #expect(!run.errors.contains("hunter2"), "\(run)")
    }
}
