// SPDX-License-Identifier: Apache-2.0

import Logging
import LoginValues
import MPinClient

/// A device with one identity: the SDK with its real network.
struct LoginDevice: Sendable {
    let user: String
    let transport: any HTTPTransport
    private let mpin: MPin
    private let identity: User

    /// The person's PIN, and a mistyped one.
    private static let rightPIN: [UInt8] = [2, 7, 1, 8]
    private static let wrongPIN: [UInt8] = [3, 1, 4, 1]

    /// Registers the user.
    ///
    /// - Parameters:
    ///   - header: is sent with each request.
    ///   - activate: confirms the registration, if the backend does not do so at once.
    /// - Throws: `MPinError`, and the errors of `activate`.
    init(
        _ user: String, at backend: WebAddress, transport: any HTTPTransport, storage: any IdentityStorage,
        header: HTTPHeader? = nil, activate: (String) async throws -> Void
    ) async throws {
        (self.user, self.transport) = (user, transport)
        mpin = MPin(
            transport: transport, storage: storage,
            trust: TrustPolicy(
                entries: [try TrustEntry("\(backend.origin.host):\(backend.origin.port)")], allowsLoopbackHTTP: true),
            configuration: MPin.Configuration(clientVersion: "1.0", customHeaders: header.map { [$0] } ?? []),
            logger: Logger(label: "device") { _ in SwiftLogNoOpLogHandler() })
        try await mpin.initialize()
        let details = try await mpin.serviceDetails(at: backend)
        try await mpin.setBackend(details.backendURL, rpsPrefix: details.rpsPrefix, namedBy: details.namedBy)
        let started = try await mpin.startRegistration(of: await mpin.makeNewUser(user))
        if started.state != .activated { try await activate(user) }
        let confirmed = try await mpin.confirmRegistration(of: started)
        identity = try await mpin.finishRegistration(of: confirmed, pin: Self.pin(Self.rightPIN))
    }

    /// Does a login up to the last digit: fetches the time permit.
    ///
    /// - Parameter code: the page's code; nil for a login of the device itself.
    func begin(_ code: AccessCode? = nil) async throws(MPinError) {
        if let code { _ = try await mpin.sessionDetails(for: code) }
        try await mpin.startAuthentication(of: identity, accessCode: code)
    }

    /// Does the part of a login after the last digit.
    func finish(_ code: AccessCode? = nil, typingWrongPIN isWrong: Bool = false) async throws(MPinError) {
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

/// Reports each request: the time until the reply in nanoseconds, and the kind of a failure.
struct ObservedTransport: HTTPTransport {
    let transport: any HTTPTransport
    let observe: @Sendable (_ time: Double, _ failure: String?) -> Void

    func send(_ request: HTTPRequest) async throws(HTTPTransportError) -> HTTPResponse {
        let start = WallClock.now()
        do {
            let response = try await transport.send(request)
            observe(WallClock.now() - start, Self.failure(ofStatus: response.status))
            return response
        } catch {
            observe(WallClock.now() - start, Self.failure(error.code))
            throw error
        }
    }

    var checksPins: Bool { transport.checksPins }

    func distrustConnections(to origin: Origin) { transport.distrustConnections(to: origin) }

    /// Nil for a success, which the verdict on a wrong PIN is too.
    static func failure(ofStatus status: Int) -> String? {
        switch status {
        case ..<400, 401: nil
        case 402..<600, 400: "http_\(status)"
        default: "http_other"
        }
    }

    private static func failure(_ code: HTTPTransportError.Code) -> String? {
        switch code {
        case .connectionFailed: "connection_refused"
        case .nameNotResolved: "name_not_resolved"
        case .addressRefused: "address_refused"
        case .tlsFailed, .serverKeyRefused: "tls_failed"
        case .timedOut: "timed_out"
        case .replyTooLong: "reply_too_long"
        // A request cancelled after its login ended is not a failure.
        case .cancelled: nil
        case .transferFailed: "connection_ended"
        }
    }
}
