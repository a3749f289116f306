// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Patience
import PostgreSQLTestKit
import Testing

@testable import PostgreSQL

/// Passwords and TLS, at servers that require them.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, Comment(rawValue: PostgreSQLServer.absence)))
struct ServerAccessTests {
    /// A server with a user who has a password.
    private struct Guarded {
        let server: PostgreSQLServer
        /// The file for `passfile=`.
        let passwordFile: String
        private let folder: TemporaryFolder

        init(_ network: PostgreSQLServer.Network) async throws {
            server = try PostgreSQLServer(network)
            let database = try Database(at: ServerTarget(server.address), migrations: []) { _ in }
            try await database.run(Call(Statement("CREATE ROLE kiosk LOGIN PASSWORD 'hunter2'")))
            try await database.run(Call(Statement("GRANT CREATE ON DATABASE postgres TO kiosk")))
            folder = try TemporaryFolder.made()
            passwordFile = folder.path + "/passwords"
            try write("*:*:*:kiosk:hunter2\n", to: passwordFile)
        }

        private func write(_ text: String, to file: String) throws {
            try Data(text.utf8).write(to: URL(filePath: file))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        }

        /// - Parameter content: the file's content.
        func file(_ name: String, _ content: String) throws -> String {
            let path = folder.path + "/" + name
            try write(content, to: path)
            return path
        }

        func address(_ options: String) -> String { "port=\(server.port) user=kiosk dbname=postgres \(options)" }
    }

    /// Loopback under a name that looks like another machine's.
    private static let elsewhere = "hostaddr=0.0.0.0"
    private static let isEncrypted = Statement("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")

    private static func settings() -> Database.Settings { TestDatabase.settings(schema: "access") }

    /// - Returns: whether the connection uses TLS.
    private static func reach(_ address: String) async throws -> Bool {
        let database = try Database(at: ServerTarget(address), settings: settings(), migrations: []) { _ in }
        return try await database.run(Call(isEncrypted)).boolean(0, 0)
    }

    private static func fault(_ address: String) throws -> DatabaseFault {
        let fault = try #require(throws: DatabaseFault.self, "\(address)") {
            try Database(at: ServerTarget(address), settings: settings(), migrations: []) { _ in }
        }
        #expect(fault.kind == .unreachable && fault.hint?.isEmpty == false, "\(fault)")
        #expect(!"\(fault.problem) \(fault.hint ?? "")".contains("hunter2"), "\(fault)")
        return fault
    }

    @Test func aServerByTLS() async throws {
        let guarded = try await Guarded(.tls)
        let other = try await Guarded(.tls)
        let password = "passfile=\(guarded.passwordFile)"
        func address(_ options: String) -> String { guarded.address("\(password) \(options)") }
        let (right, wrong) = (
            "sslrootcert=\(guarded.server.certificateFile)", "sslrootcert=\(other.server.certificateFile)"
        )
        // Without a setting for TLS the server must prove its name.
        #expect(try await Self.reach(address("host=localhost \(Self.elsewhere) \(right)")))
        let unknown = try Self.fault(address("host=localhost \(Self.elsewhere)"))
        #expect(unknown.problem.contains("certificate") && unknown.hint?.contains("sslrootcert=") == true)
        let another = try Self.fault(address("host=localhost \(Self.elsewhere) \(wrong)"))
        #expect(another.problem.contains("certificate") && another.hint?.contains("sslrootcert=") == true)
        let named = try Self.fault(address("host=db.example.com \(Self.elsewhere) \(right)"))
        #expect(named.problem.contains("db.example.com") && named.hint?.contains("sslrootcert=") == true)
        // libpq's "TLS if available" is refused.
        _ = try Self.fault(address("host=localhost \(Self.elsewhere) sslmode=prefer"))
        // The operator waives the proof of the name.
        #expect(try await Self.reach(address("host=db.example.com \(Self.elsewhere) sslmode=require")))
        #expect(try await Self.reach(address("host=localhost sslmode=verify-full \(right)")))
        let own = try Self.fault(address("host=localhost sslmode=verify-full \(wrong)"))
        #expect(own.hint?.contains("sslrootcert=") == true, "\(own)")
        let open = try Self.fault(address("host=localhost sslmode=disable"))
        #expect(open.hint?.contains("pg_hba.conf") == true, "\(open)")
    }

    /// Values that exceed a TLS record, in both directions.
    @Test func largeValuesComeBackByTLS() async throws {
        let guarded = try await Guarded(.tls)
        let options = "passfile=\(guarded.passwordFile) host=localhost sslmode=require"
        let database = try Database(
            at: ServerTarget(guarded.address(options)), settings: Self.settings(), migrations: []
        ) { _ in }
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let rows = try await database.run(Call(Statement("SELECT $1::bytea"), .bytes(bytes)))
        #expect(try rows.bytes(0, 0) == bytes)
    }

    @Test func aServerWithoutTLS() async throws {
        let guarded = try await Guarded(.plain)
        let address = guarded.address("passfile=\(guarded.passwordFile) host=localhost")
        let refused = try Self.fault("\(address) \(Self.elsewhere)")
        #expect(refused.problem.contains("SSL") && refused.hint?.contains("sslmode=") == true)
        #expect(try await !Self.reach("\(address) \(Self.elsewhere) sslmode=disable"))
        // On this machine TLS is not needed.
        #expect(try await !Self.reach(address))
        let wrong = try guarded.file("wrong", "*:*:*:kiosk:hunter3\n")
        for file in ["passfile=\(wrong)", "passfile=/nonexistent"] {
            let fault = try Self.fault(guarded.address("\(file) host=localhost"))
            #expect(fault.hint?.contains("passfile=") == true && !"\(fault)".contains("hunter3"), "\(fault)")
        }
    }

    /// The variables of `psql`, in a process without other settings.
    @Test func theEnvironment() async throws {
        let guarded = try await Guarded(.plain)
        let port = "\(guarded.server.port)"
        let services = try guarded.file(
            "services", "[doors]\nhost=localhost\nport=\(port)\nuser=kiosk\npassword=hunter2\ndbname=postgres\n")
        let place = ["PGHOST": "localhost", "PGPORT": port, "PGUSER": "kiosk", "PGDATABASE": "postgres"]
        for (address, variables) in [
            ("postgresql://", place.merging(["PGPASSWORD": "hunter2"]) { $1 }),
            ("postgresql://", place.merging(["PGPASSFILE": guarded.passwordFile]) { $1 }),
            ("service=doors", ["PGSERVICEFILE": services]),
            ("user=kiosk", ["PGSERVICEFILE": services, "PGSERVICE": "doors"]),
        ] {
            await #expect(processExitsWith: .success, "\(address)") {
                [address = address as String, variables = variables as [String: String]] in
                // Safe: no other thread of this process reads the environment yet.
                for (name, value) in variables { _ = unsafe setenv(name, value, 1) }
                let target = try ServerTarget(address)
                _ = try Database(at: target, settings: Database.Settings(schema: "access"), migrations: []) { _ in }
            }
        }
    }

    /// Texts are UTF-8 and transactions as expected, whatever defaults operators have set.
    @Test func settingsOfOthers() async throws {
        let server = try PostgreSQLServer()
        let settings = TestDatabase.settings(schema: "others")
        let thing = Migration("first", "CREATE TABLE thing (name text)")
        let owner = try Database(at: ServerTarget(server.address), settings: settings, migrations: [thing]) { _ in }
        for setting in [
            "client_encoding = 'LATIN1'", "default_transaction_isolation = 'serializable'",
            "synchronous_commit = 'off'", "search_path = 'pg_catalog'",
            "standard_conforming_strings = 'off'", "bytea_output = 'escape'",
        ] {
            try await owner.run(Call(Statement("ALTER DATABASE postgres SET \(setting)")))
        }
        let database = try Database(
            at: ServerTarget("\(server.address) client_encoding=LATIN1"), settings: settings, migrations: [thing]
        ) { _ in }
        try await database.run(Call(Statement("INSERT INTO thing VALUES ($1)"), .text("zo\u{eb} \u{1f511}")))
        #expect(try await database.run(Call(Statement("SELECT name FROM thing"))).text(0, 0) == "zo\u{eb} \u{1f511}")
        let length = Statement("SELECT char_length(name)::bigint FROM thing")
        #expect(try await database.run(Call(length)).integer(0, 0) == 5)
        let shown = Statement(
            "SELECT current_setting('transaction_isolation') || ' ' || current_setting('synchronous_commit')")
        #expect(try await database.run(Call(shown)).text(0, 0) == "read committed on")
    }
}
