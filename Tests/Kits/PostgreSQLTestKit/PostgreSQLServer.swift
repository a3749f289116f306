// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
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

    /// What it offers beside its socket, at which it wants no password.
    public enum Network: String, Sendable {
        case none
        /// A port of loopback, where it wants one.
        case plain
        /// The same, by TLS alone, with a certificate for `localhost` that vouches for itself.
        case tls
    }

    /// Its address as libpq takes it.
    public let address: String
    /// Of loopback; 5432, where nothing is, when it offers none.
    public let port: Int
    /// Its certificate, when it has one.
    public let certificateFile: String

    private let process: Process
    private let words = Pipe()
    private let answers = Pipe()
    private let lock = Mutex(())

    /// Starts one; waits on the calling thread until it takes connections.
    public init(_ network: Network = .none) throws {
        guard let programs = Self.programs else { throw Failure(description: Self.absence) }
        // Short, for a socket's path has at most 107 bytes, and where another user may enter.
        let folder = "/tmp/login-kiosk-postgres-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        port = network == .none ? 5432 : try Self.freePort()
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

    /// Another program may take it before the server does; then that one does not start.
    private static func freePort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        // Safe: the address is ours and of that size.
        let code = unsafe withUnsafeMutablePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(descriptor, address, size) == 0 ? unsafe getsockname(descriptor, address, &size) : -1
            }
        }
        guard code == 0 else { throw Failure(description: "no port is free") }
        return Int(UInt16(bigEndian: address.sin_port))
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
        programs=$1 folder=$2 user=$3 network=$4 port=$5 listen= tls=off
        trap : INT TERM
        complain() { tail -n 3 "$folder/log" | tr '\\n' ' '; echo; rm -rf "$folder"; exit 1; }
        start() {
            "$programs/postgres" -D "$folder/data" -k "$folder" -p "$port" -c listen_addresses="$listen" \\
                -c ssl="$tls" -c ssl_cert_file="$folder/server.crt" -c ssl_key_file="$folder/server.key" \\
                -c fsync=off -c full_page_writes=off -c shared_preload_libraries=pg_stat_statements \\
                -c max_connections=300 -c shared_buffers=32MB -c deadlock_timeout=20ms >> "$folder/log" 2>&1 &
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
