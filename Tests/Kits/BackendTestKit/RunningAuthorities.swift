// SPDX-License-Identifier: Apache-2.0

package import Patience
import ArgumentParser
import BackendTLS
package import BackendValues
package import KioskTestKit
package import MPinServer
package import ReferenceBackend
package import ServiceLifecycle
import Testing

/// A D-TA that serves on the loopback interface during a test.
package struct RunningAuthority: Sendable {
    package let url: String
    package let credentialsFile: String
    package let clock: ManualWallClock
    package let log: LogCapture

    package var client: HTTPClient { HTTPClient(port: url.split(separator: ":").last.flatMap { Int($0) } ?? 0) }

    package var requests: ShareRequest {
        get throws { ShareRequest(credentials: try AppCredentials(existing: credentialsFile)) }
    }
}

extension AuthorityServer {
    /// A D-TA on a free port, as its operator starts it.
    package convenience init(
        _ half: Int, options: [String] = [], in state: TemporaryFolder, log: LogCapture = LogCapture(),
        clock: any WallClock = ManualWallClock()
    ) throws {
        try self.init(
            configuration: Configuration(options: ["--half", "\(half)", "--listen", "127.0.0.1:0"] + options),
            in: state.path, tls: NIOTLS.connections, logger: log.logger, clock: clock)
    }

    /// The complaint of a D-TA that does not start with these options; empty if it does.
    package static func complaint(_ half: Int, options: [String] = [], in state: TemporaryFolder) -> String {
        do { _ = try AuthorityServer(half, options: options, in: state) } catch {
            return Configuration.message(for: error)
        }
        return ""
    }
}

/// Starts a D-TA, runs `body`, and stops it gracefully.
package func withAuthority<Value: Sendable>(
    half: Int, state: TemporaryFolder = TemporaryFolder(), clock: ManualWallClock = ManualWallClock(),
    host: String = "127.0.0.1",
    hasTLS: Bool = false, key: TestCertificate.Key = .elliptic,
    _ body: @escaping @Sendable (RunningAuthority) async throws -> Value
) async throws -> Value {
    let files = TemporaryFolder()
    let log = LogCapture()
    let server = try AuthorityServer(
        half, options: ["--listen", "\(host):0"] + (hasTLS ? try TestCertificate.tls(key, in: files).options : []),
        in: state, log: log, clock: clock)
    defer { withExtendedLifetime((files, state)) {} }
    return try await withService(server, log: log) {
        try await body(
            RunningAuthority(
                url: try await server.url, credentialsFile: server.credentialsFile, clock: clock, log: log))
    }
}

/// Runs a service until `body` is over, and stops it gracefully.
package func withService<Value: Sendable>(
    _ service: any Service, log: LogCapture = LogCapture(), _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let group = ServiceGroup(configuration: .init(services: [service], logger: log.logger))
    return try await withThrowingTaskGroup(of: Value?.self) { tasks in
        tasks.addTask {
            try await group.run()
            return nil
        }
        tasks.addTask { try await body() }
        let result: Value?
        do { result = try await tasks.next() ?? nil } catch {
            tasks.cancelAll()
            throw error
        }
        await group.triggerGracefulShutdown()
        try await tasks.waitForAll()
        return try #require(result)
    }
}

/// Brings the D-TAs' credentials to the state directory of a backend that asks them.
func copyCredentials(from files: [String], to state: TemporaryFolder) throws {
    let directory = try StateDirectory(path: state.path)
    for (number, file) in zip(1...2, files) {
        try StateDirectory.create(
            try directory.folder("dta\(number)") + "/credentials", content: try StateDirectory.read(file) ?? [])
    }
}

/// A backend that asks the D-TAs at two addresses.
func withBackend<Value: Sendable>(
    asking urls: [String], state: TemporaryFolder, clock: ManualWallClock, storage: BackendStorage? = nil,
    knowsSecret: Bool = true, options: [String], _ body: @escaping @Sendable (RunningBackend) async throws -> Value
) async throws -> Value {
    try await withBackend(
        state: state, clock: clock, storage: storage, options: ["--dta1", urls[0], "--dta2", urls[1]] + options
    ) { backend in
        var backend = backend
        backend.authorityPort = urls[1].split(separator: ":").last.flatMap { Int($0) }
        if knowsSecret { try await backend.waitForServerSecret() }
        return try await body(backend)
    }
}

/// Two D-TAs, and the state directory of a backend that may ask them.
package struct RunningAuthorities: Sendable {
    package let first: RunningAuthority
    package let second: RunningAuthority
    package let state: TemporaryFolder
    /// The backend's clock. Each D-TA has its own.
    package let clock: ManualWallClock

    package init(first: RunningAuthority, second: RunningAuthority, state: TemporaryFolder, clock: ManualWallClock) {
        (self.first, self.second, self.state, self.clock) = (first, second, state, clock)
    }

    package func withBackend<Value: Sendable>(
        options: [String] = [],
        _ body: @escaping @Sendable (RunningBackend) async throws -> Value
    ) async throws -> Value {
        try await BackendTestKit.withBackend(
            asking: [first.url, second.url], state: state, clock: clock, options: options, body)
    }
}

package func withAuthorities<Value: Sendable>(
    _ body: @escaping @Sendable (RunningAuthorities) async throws -> Value
) async throws -> Value {
    try await withAuthority(half: 1) { first in
        try await withAuthority(half: 2) { second in
            let state = TemporaryFolder()
            try copyCredentials(from: [first.credentialsFile, second.credentialsFile], to: state)
            return try await body(
                RunningAuthorities(first: first, second: second, state: state, clock: ManualWallClock()))
        }
    }
}
