// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Patience
import Synchronization

/// A PostgreSQL server for tests: new and empty, on a socket in its own folder. It ends with the test process.
///
/// It needs Debian's package `postgresql`. PostgreSQL refuses to run as root, who starts it as the package's user.
public final class PostgreSQLServer: Sendable {
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    /// Whether it is installed. Other tests run without it.
    public static let isInstalled = programs != nil

    /// The message when it is not installed.
    public static let absence = "Debian's postgresql is not installed: apt-get install postgresql"

    /// Shared by all tests of the process, and started at the first use.
    public static var shared: PostgreSQLServer {
        get throws { try started.get() }
    }

    private static let started = Result { try PostgreSQLServer() }

    /// A superuser of the server.
    private static let user = "tester"

    private static let programs: String? = {
        let versions = "/usr/lib/postgresql"
        let found = (try? FileManager.default.contentsOfDirectory(atPath: versions)) ?? []
        return found.sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }.map { "\(versions)/\($0)/bin" }
            .first { FileManager.default.isExecutableFile(atPath: "\($0)/initdb") }
    }()

    /// The network access besides the socket, which needs no password.
    public enum Network: String, Sendable {
        case none
        /// A port of loopback with a password.
        case plain
        /// A port of loopback with a password and TLS only, with a self-signed certificate for `localhost`.
        case tls
    }

    /// The address for libpq.
    public let address: String
    /// The port of loopback; without one 5432, where nothing listens.
    public let port: Int
    /// The certificate file, if there is one.
    public let certificateFile: String

    private let process: Process
    private let words = Pipe()
    private let answers = Pipe()
    private let lock = Mutex(())

    /// Starts a server. It blocks the calling thread until the server accepts connections.
    public init(_ network: Network = .none) throws {
        guard let programs = Self.programs else { throw Failure(description: Self.absence) }
        // Short, because a socket's path has at most 107 bytes, and accessible to another user.
        let folder = "/tmp/login-kiosk-postgres-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        port = network == .none ? 5432 : try Int(LoopbackListener.freePort())
        address = "host=\(folder) port=\(port) user=\(Self.user) dbname=postgres"
        certificateFile = "\(folder)/server.crt"
        process = Process()
        let shell = ["sh", "-c", Self.keeper, "keeper", programs, folder, Self.user, network.rawValue, "\(port)"]
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

    /// Stops it like an administrator, and starts it again.
    public func restart() throws { try start(afterSignal: "INT") }

    /// Kills it like a power cut, and starts it again.
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

    /// A shell keeps the server running while its standard input is open, so the server ends with the test process in
    /// any case. No test needs durability after a power cut.
    private static let keeper = """
        programs=$1 folder=$2 user=$3 network=$4 port=$5 listen= tls=off
        trap : INT TERM
        complain() { tail -n 3 "$folder/log" | tr '\\n' ' '; echo; rm -rf "$folder"; exit 1; }
        start() {
            "$programs/postgres" -D "$folder/data" -k "$folder" -p "$port" -c listen_addresses="$listen" \\
                -c ssl="$tls" -c ssl_cert_file="$folder/server.crt" -c ssl_key_file="$folder/server.key" \\
                -c fsync=off -c full_page_writes=off -c shared_preload_libraries=pg_stat_statements \\
                -c max_connections=800 -c shared_buffers=32MB -c deadlock_timeout=20ms >> "$folder/log" 2>&1 &
            server=$!
            until "$programs/pg_isready" --quiet --host="$folder" --port="$port" --username="$user" \\
                --dbname=postgres; do
                kill -0 "$server" 2> /dev/null || complain
                sleep 0.05
            done
            echo ready
        }
        "$programs/initdb" --no-sync --auth=trust --username="$user" --encoding=UTF8 --locale=C \\
            --pgdata="$folder/data" > "$folder/log" 2>&1 || complain
        [ "$network" = none ] || {
            listen=127.0.0.1
            printf '%s\\n' 'local all all trust' 'host all all 127.0.0.1/32 scram-sha-256' > "$folder/data/pg_hba.conf"
        }
        [ "$network" != tls ] || {
            tls=on
            sed -i s/^host/hostssl/ "$folder/data/pg_hba.conf"
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost \\
                -addext subjectAltName=DNS:localhost -keyout "$folder/server.key" -out "$folder/server.crt" \\
                >> "$folder/log" 2>&1 || complain
            chmod 600 "$folder/server.key"
        }
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
