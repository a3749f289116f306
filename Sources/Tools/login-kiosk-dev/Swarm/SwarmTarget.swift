// SPDX-License-Identifier: Apache-2.0

import CurlTransport
import KioskTestKit
import LoginValues
import MPinClient
import Synchronization

/// The backend's address, and the way to reach it.
struct SwarmTarget: Sendable {
    let backend: WebAddress
    let tally: SwarmTally
    private let transports: SharedTransports

    /// - Throws: `WebAddressError`.
    init(_ url: String, authorityFile: String?, tally: SwarmTally) throws {
        backend = try WebAddress(url).base
        self.tally = tally
        transports = SharedTransports(CurlHTTPTransport.Configuration(authorityFile: authorityFile))
    }

    /// Makes a transport for one kiosk or browser.
    func transport() throws(CurlSetupError) -> ObservedTransport {
        ObservedTransport(transport: try transports.next()) { [tally] _, failure in failure.map(tally.addError) }
    }

    /// Registers a kiosk, with a store in memory.
    ///
    /// - Parameter operatorClient: confirms the registration, if the backend does not do so at once.
    /// - Throws: `MPinError`, `BenchmarkError`, `CurlSetupError`.
    func device(_ user: String, number: Int, _ operatorClient: SwarmOperator?) async throws -> LoginDevice {
        try await LoginDevice(
            user, at: backend, transport: try transport(), storage: InMemoryStorage(),
            header: Self.address(ofNumber: number)
        ) { user in
            guard let operatorClient else {
                throw BenchmarkError.program(
                    "the backend waits for a mail to be answered: name its operator's password, "
                        + "--operator-password-file FILE")
            }
            try await operatorClient.activate(user)
        }
    }

    /// The address of a kiosk or browser, from the range for measurements (RFC 2544). A backend accepts it from a
    /// trusted proxy only.
    static func address(ofNumber number: Int) -> HTTPHeader {
        HTTPHeader("X-Forwarded-For", "198.\(18 + (number >> 16) & 1).\((number >> 8) & 255).\(number & 255)")
    }
}

/// Shares transports. Each has a thread, and thousands of threads would keep the machine busy switching. So the first
/// kiosks and browsers have a transport each, as real ones do. Further ones share transports, each up to its number
/// of concurrent requests.
private final class SharedTransports: Sendable {
    private static let transports = 64
    private static let users = 16

    private struct State {
        var group: [CurlHTTPTransport] = []
        var given = 0
    }

    private let configuration: CurlHTTPTransport.Configuration
    private let state = Mutex(State())

    init(_ configuration: CurlHTTPTransport.Configuration) { self.configuration = configuration }

    func next() throws(CurlSetupError) -> CurlHTTPTransport {
        try state.withLock { (state) throws(CurlSetupError) in
            if state.given == Self.transports * Self.users { state = State() }
            if state.group.count < Self.transports { state.group.append(try CurlHTTPTransport(configuration)) }
            defer { state.given += 1 }
            return state.group[state.given % Self.transports]
        }
    }
}
