// SPDX-License-Identifier: Apache-2.0

import CurlTransport
import KioskTestKit
import Logging
import LoginValues
import MPinClient
import Synchronization

/// A kiosk with one identity: the SDK with a store in memory.
struct SwarmDevice: Sendable {
    let user: String
    private let mpin: MPin
    private let identity: User

    /// The person's PIN, and a mistyped one.
    private static let rightPIN: [UInt8] = [2, 7, 1, 8]
    private static let wrongPIN: [UInt8] = [3, 1, 4, 1]

    /// Registers the user.
    ///
    /// - Parameter operatorClient: confirms the registration, if the backend does not do so at once.
    /// - Throws: `MPinError`, `BenchmarkError`, `CurlSetupError`.
    init(_ user: String, number: Int, at target: SwarmTarget, _ operatorClient: SwarmOperator?) async throws {
        self.user = user
        mpin = MPin(
            transport: try target.transport(), storage: InMemoryStorage(), trust: target.trust,
            configuration: MPin.Configuration(
                clientVersion: "1.0", customHeaders: [SwarmTarget.address(ofNumber: number)]),
            logger: Logger(label: "swarm") { _ in SwiftLogNoOpLogHandler() })
        try await mpin.initialize()
        let details = try await mpin.serviceDetails(at: target.backend)
        try await mpin.setBackend(details.backendURL, rpsPrefix: details.rpsPrefix, namedBy: details.namedBy)
        let started = try await mpin.startRegistration(of: await mpin.makeNewUser(user))
        if started.state != .activated {
            guard let operatorClient else {
                throw BenchmarkError.program(
                    "the backend waits for a mail to be answered: name its operator's password, "
                        + "--operator-password-file FILE")
            }
            try await operatorClient.activate(user)
        }
        let confirmed = try await mpin.confirmRegistration(of: started)
        identity = try await mpin.finishRegistration(of: confirmed, pin: Self.pin(Self.rightPIN))
    }

    /// Does a login up to the last digit.
    ///
    /// - Parameter code: the page's code; nil for a login of the device itself.
    func begin(_ code: AccessCode?) async throws(MPinError) {
        if let code { _ = try await mpin.sessionDetails(for: code) }
        try await mpin.startAuthentication(of: identity, accessCode: code)
    }

    /// Does the part of a login after the last digit.
    func finish(_ code: AccessCode?, typingWrongPIN isWrong: Bool) async throws(MPinError) {
        let digits = isWrong ? Self.wrongPIN : Self.rightPIN
        if let code {
            _ = try await mpin.finishAuthentication(of: identity, pin: Self.pin(digits), accessCode: code)
        } else {
            _ = try await mpin.finishAuthentication(of: identity, pin: Self.pin(digits))
        }
    }

    private static func pin(_ digits: [UInt8]) -> Pin? {
        var entry = PinEntry()
        for digit in digits { entry.append(digit) }
        return Pin(entry)
    }
}

/// The backend's address, and the way to reach it.
struct SwarmTarget: Sendable {
    let backend: WebAddress
    let trust: TrustPolicy
    let tally: SwarmTally
    private let transports: SharedTransports

    /// - Throws: `WebAddressError`, `TrustEntryError`.
    init(_ url: String, authorityFile: String?, tally: SwarmTally) throws {
        backend = try WebAddress(url).base
        let port = backend.origin.port
        trust = TrustPolicy(entries: [try TrustEntry("\(backend.origin.host):\(port)")], allowsLoopbackHTTP: true)
        self.tally = tally
        transports = SharedTransports(CurlHTTPTransport.Configuration(authorityFile: authorityFile))
    }

    /// Makes a transport for one kiosk or browser.
    func transport() throws(CurlSetupError) -> WatchedTransport {
        WatchedTransport(transport: try transports.next(), tally: tally)
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
