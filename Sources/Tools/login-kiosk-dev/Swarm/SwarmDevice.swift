// SPDX-License-Identifier: Apache-2.0

import CurlTransport
import KioskTestKit
import Logging
import LoginValues
import MPinClient
import Synchronization

/// A kiosk with one identity: the SDK, and a store in memory.
struct SwarmDevice: Sendable {
    let user: String
    private let mpin: MPin
    private let identity: User

    /// The person's PIN, and what is typed instead by mistake.
    private static let rightPIN: [UInt8] = [2, 7, 1, 8]
    private static let wrongPIN: [UInt8] = [3, 1, 4, 1]

    /// Registers the user.
    ///
    /// - Parameter desk: confirms the registration, where the backend does not do it at once.
    /// - Throws: `MPinError`, `BenchmarkError`, `CurlSetupError`.
    init(_ user: String, number: Int, at place: SwarmPlace, _ desk: SwarmOperator?) async throws {
        self.user = user
        mpin = MPin(
            transport: try place.transport(), storage: InMemoryStorage(), trust: place.trust,
            configuration: MPin.Configuration(
                clientVersion: "1.0", customHeaders: [SwarmPlace.address(ofNumber: number)]),
            logger: Logger(label: "swarm") { _ in SwiftLogNoOpLogHandler() })
        try await mpin.initialize()
        let details = try await mpin.serviceDetails(at: place.backend)
        try await mpin.setBackend(details.backendURL, rpsPrefix: details.rpsPrefix, namedBy: details.namedBy)
        let started = try await mpin.startRegistration(of: await mpin.makeNewUser(user))
        if started.state != .activated {
            guard let desk else {
                throw BenchmarkError.program(
                    "the backend waits for a mail to be answered: name its operator's password, "
                        + "--operator-password-file FILE")
            }
            try await desk.activate(user)
        }
        let confirmed = try await mpin.confirmRegistration(of: started)
        identity = try await mpin.finishRegistration(of: confirmed, pin: Self.pin(Self.rightPIN))
    }

    /// Everything up to the last digit.
    ///
    /// - Parameter code: of the page; nil for a login of the device itself.
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

/// Where the backend is, and how it is reached.
struct SwarmPlace: Sendable {
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

    /// For one kiosk or browser.
    func transport() throws(CurlSetupError) -> WatchedTransport {
        WatchedTransport(transport: try transports.next(), tally: tally)
    }

    /// Each kiosk and browser is somewhere else, of the addresses that are for measurements (RFC 2544). A backend
    /// believes it from a proxy that it trusts, and from no other client.
    static func address(ofNumber number: Int) -> HTTPHeader {
        HTTPHeader("X-Forwarded-For", "198.\(18 + (number >> 16) & 1).\((number >> 8) & 255).\(number & 255)")
    }
}

/// A transport has a thread, of which thousands would keep the machine busy with changing from one to the next. So the
/// first kiosks and browsers have one each, as real ones do, and of many some have one together: as many as it has
/// requests at once.
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
