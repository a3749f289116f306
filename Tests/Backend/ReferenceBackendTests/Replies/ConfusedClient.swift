// SPDX-License-Identifier: Apache-2.0

import CurlTransport
import LoginValues
import MPinClient
import Testing

@testable import ReferenceBackend

/// Starts a backend behind a ``ConfusedProxy`` and connects our client to it, with connections as a kiosk has them.
func withConfusedClient(
    _ dialect: Backend.Dialect, _ body: @escaping @Sendable (OwnClient, ConfusedProxy) async throws -> Void
) async throws {
    let proxy = try await ConfusedProxy()
    let configure = { (configuration: inout Backend.Configuration) in
        configuration.dialect = dialect
        configuration.companyID = "our-company"
        configuration.publicURL = "http://127.0.0.1:\(proxy.port)"
    }
    try await withBackend(configure: configure) { backend in
        try await withThrowingTaskGroup { group in
            group.addTask { try await proxy.run(to: backend.addresses.publicPort) }
            let transport = try CurlHTTPTransport(
                CurlHTTPTransport.Configuration(addressPolicy: AddressPolicy(allowed: [.loopback])))
            let result: Result<Void, any Error>
            do {
                result = .success(try await body(try await OwnClient(backend, dialect, transport, []), proxy))
            } catch { result = .failure(error) }
            await transport.shutdown()
            group.cancelAll()
            try result.get()
        }
    }
}

/// One errand of a person whose network is confused: it may fail, and must not claim what is not so.
struct ConfusedErrand: Sendable {
    /// For the messages of the test.
    let name: String
    /// Begins it anew, from what the kiosk asks before the PIN to the claim of success.
    let run: @Sendable () async throws -> Void
    /// What the proxy saw of one undisturbed run.
    let requests: [String]

    /// - Parameter isExpectedToFail: whether the undisturbed run fails, as one with a wrong PIN does.
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

    /// - Returns: whether it claims to have gone well when the proxy makes the mistake.
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
