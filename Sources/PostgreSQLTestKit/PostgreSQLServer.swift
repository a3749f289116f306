// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// A PostgreSQL server of the tests' own: new and empty, on a socket in a folder of its own, gone when the process of
/// the tests is.
///
/// Debian's package `postgresql` has it. It refuses to run as root, who starts it as the package's user.
public final class PostgreSQLServer: Sendable {
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    /// For tests that do without where it is not installed.
    public static let isInstalled = programs != nil

    /// What to say then.
    public static let absence = "Debian's postgresql is not installed: apt-get install postgresql"

    /// One for all tests of the process, started when it is asked for first.
    public static var shared: PostgreSQLServer {
        get throws { try started.get() }
    }

    private static let started = Result { try PostgreSQLServer() }

    /// A user of the server who may do everything.
    private static let user = "tester"

    private static let programs: String? = {
        let versions = "/usr/lib/postgresql"
        let found = (try? FileManager.default.contentsOfDirectory(atPath: versions)) ?? []
        return found.sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }.map { "\(versions)/\($0)/bin" }
            .first { FileManager.default.isExecutableFile(atPath: "\($0)/initdb") }
    }()

    /// Its address as libpq takes it.
    public let address: String

    private let process: Process
    private let words = Pipe()
    private let answers = Pipe()
    private let lock = Mutex(())

    /// Starts one; waits on the calling thread until it takes connections.
    public init() throws {
        guard let programs = Self.programs else { throw Failure(description: Self.absence) }
        // Short, for a socket's path has at most 107 bytes, and where another user may enter.
        let folder = "/tmp/login-kiosk-postgres-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        address = "host=\(folder) user=\(Self.user) dbname=postgres"
        process = Process()
        let shell = ["sh", "-c", Self.keeper, "keeper", programs, folder, Self.user]
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = shell
        if geteuid() == 0 {
            let other = "postgres"
            try FileManager.default.setAttributes([.ownerAccountName: other], ofItemAtPath: folder)
            process.arguments = ["setpriv", "--reuid=\(other)", "--regid=\(other)", "--clear-groups", "--"] + shell
        }
        process.currentDirectoryURL = URL(filePath: "/")
        process.environment = ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"]
        process.standardInput = words
        process.standardOutput = answers
        try process.run()
        try awaitReady()
    }

    /// Stops it as an administrator does, and starts it again.
    public func restart() throws { try start(afterSignal: "INT") }

    /// Kills it, as a power cut does, and starts it again.
    public func crash() throws { try start(afterSignal: "QUIT") }

    private func start(afterSignal signal: String) throws {
        try lock.withLock { _ in
            try words.fileHandleForWriting.write(contentsOf: Data("\(signal)\n".utf8))
            try awaitReady()
        }
    }

    private func awaitReady() throws {
        var line = Data()
        while let byte = try answers.fileHandleForReading.read(upToCount: 1), !byte.isEmpty, byte != Data("\n".utf8) {
            line += byte
        }
        let answer = String(decoding: line, as: UTF8.self)
        guard answer == "ready" else { throw Failure(description: "postgres did not start: \(answer)") }
    }

    /// A shell keeps the server for as long as its standard input is open: it ends with the process of the tests,
    /// however that one ends. What a power cut would take matters to no test.
    private static let keeper = """
        programs=$1 folder=$2 user=$3
        trap : INT TERM
        complain() { tail -n 3 "$folder/log" | tr '\\n' ' '; echo; rm -rf "$folder"; exit 1; }
        start() {
            "$programs/postgres" -D "$folder/data" -k "$folder" -c listen_addresses= \\
                -c fsync=off -c full_page_writes=off \\
                -c max_connections=300 -c shared_buffers=32MB -c deadlock_timeout=20ms >> "$folder/log" 2>&1 &
            server=$!
            until "$programs/pg_isready" --quiet --host="$folder" --username="$user" --dbname=postgres; do
                kill -0 "$server" 2> /dev/null || complain
                sleep 0.05
            done
            echo ready
        }
        "$programs/initdb" --no-sync --auth=trust --username="$user" --encoding=UTF8 --locale=C \\
            --pgdata="$folder/data" > "$folder/log" 2>&1 || complain
        start
        while read -r signal; do
            kill -"$signal" "$server"
            wait "$server"
            start
        done
        kill -QUIT "$server"
        wait "$server"
        rm -rf "$folder"
        """
}
