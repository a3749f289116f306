// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import MPinClient
import Testing

@testable import MPinServer
@testable import ReferenceBackend

/// Starts a backend behind a ``ConfusedProxy`` and connects the SDK's client to it, with a kiosk's connections.
func withConfusedClient(
    _ dialect: Dialect, _ body: @escaping @Sendable (OwnClient, ConfusedProxy) async throws -> Void
) async throws {
    let proxy = try await ConfusedProxy()
    let options = OwnClient.options(dialect) + ["--public-url", "http://127.0.0.1:\(proxy.port)"]
    try await withBackend(options: options) { backend in
        try await withThrowingTaskGroup { group in
            group.addTask { try await proxy.run(to: backend.addresses.publicPort) }
            defer { group.cancelAll() }
            try await OwnClient.connected(to: backend, dialect) { try await body($0, proxy) }
        }
    }
}

/// A person's task on a confused network. It may fail, and must not claim a false success.
struct ConfusedTask: Sendable {
    /// For the messages of the test.
    let name: String
    /// Runs the task from the kiosk's requests before the PIN to the claim of success.
    let run: @Sendable () async throws -> Void
    /// The requests of one undisturbed run.
    let requests: [String]

    /// - Parameter isExpectedToFail: whether the undisturbed run fails, as with a wrong PIN.
    init(
        _ name: String, _ proxy: ConfusedProxy, isExpectedToFail: Bool = false,
        _ run: @escaping @Sendable () async throws -> Void
    ) async throws {
        self.name = name
        self.run = run
        proxy.obey(nil)
        if isExpectedToFail {
            await #expect(throws: MPinError.self, "\(name)") { try await run() }
        } else {
            try await run()
        }
        requests = proxy.requests
        #expect(!requests.isEmpty, "\(name)")
    }

    /// - Returns: whether it claims a success despite the proxy's fault.
    func succeeds(despite fault: ConfusedProxy.Fault, at request: Int, _ proxy: ConfusedProxy) async throws -> Bool {
        proxy.obey(fault, at: request)
        defer { proxy.obey(nil) }
        do {
            try await run()
            return true
        } catch is MPinError {
            return false
        } catch is PINFlow.NothingIssued { return false }
    }
}
