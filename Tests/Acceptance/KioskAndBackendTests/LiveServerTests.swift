// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import CurlTransport
import Foundation
import FoundationNetworking
import KioskTestKit
import Logging
import LoginValues
import MPinClient
import Patience
import Testing

/// The SDK's client with other people's servers: a classic Milagro site that activates registrations itself and gives
/// one-time passwords. `LOGIN_KIOSK_LIVE_SERVER=http://127.0.0.1:8460` names it; see docs/backend.md.
@Suite(.enabled(if: LiveServer.address != nil, "LOGIN_KIOSK_LIVE_SERVER names no server"), .serialized)
struct LiveServerTests {
    @Test func registersAndLogsABrowserInByQRCode() async throws {
        let server = try await LiveServer()
        let user = try await server.register()
        let browser = LiveBrowser(server)
        let offer = try await browser.post("getQrUrl")
        let request = try LoginRequest(symbol: Array(try #require(offer["qrUrl"] as? String).utf8).span)
        _ = try await server.mpin.sessionDetails(for: request.accessCode)
        try await server.logIn(user, request.accessCode, browser, offer)
    }

    @Test func logsABrowserInByAccessNumberAndOutAgain() async throws {
        let server = try await LiveServer()
        let user = try await server.register()
        let browser = LiveBrowser(server)
        let offer = try await browser.post("getAccessNumber")
        let digits = try #require(offer["accessNumber"] as? String)
        let number = try #require(AccessCode(digits))
        try await server.mpin.checkAccessNumber(number)
        try await server.logIn(user, number, browser, offer)
        if await server.mpin.canLogout(user) {
            try await server.mpin.logout(user)
            #expect(await !server.mpin.canLogout(user))
        }
    }

    @Test func logsItselfInAndGetsAOneTimePassword() async throws {
        let server = try await LiveServer()
        let user = try await server.register()
        try await server.mpin.startAuthentication(of: user)
        _ = try await server.mpin.finishAuthentication(of: user, pin: newPIN("1234"))
        try await server.mpin.startAuthentication(of: user)
        let password = try await server.mpin.finishAuthenticationOTP(of: user, pin: newPIN("1234"))
        // The classic demonstration site does not say how long a password lasts, and a password that may have expired
        // does not count.
        #expect(password.status == .ok ? password.digits.count == 6 : password.status == .responseParseError)
    }

    @Test func isBlockedRegistersAgainAndIsDeleted() async throws {
        let server = try await LiveServer()
        let user = try await server.register()
        try await server.mpin.startAuthentication(of: user)
        var statuses: [Int?] = []
        while statuses.last != 410, statuses.count < 5 {
            let error = await #expect(throws: MPinError.self) {
                try await server.mpin.finishAuthentication(of: user, pin: newPIN("9999"))
            }
            #expect(error?.status == .incorrectPIN)
            statuses.append(error?.httpStatus)
        }
        #expect(statuses.last == 410 && statuses.dropLast().allSatisfy { $0 == 401 })
        #expect(try await server.mpin.user(user.key)?.state == .blocked)
        try await server.mpin.deleteUser(user)
        #expect(try await server.mpin.users().isEmpty)
        let again = try await server.register(user.identity)
        try await server.mpin.startAuthentication(of: again)
        _ = try await server.mpin.finishAuthentication(of: again, pin: newPIN("1234"))
    }

    @Test func knowsNothingOfACodeThatWasNeverShown() async throws {
        let server = try await LiveServer()
        let user = try await server.register()
        let code = try #require(AccessCode(String(repeating: "0", count: 32)))
        try await server.mpin.startAuthentication(of: user, accessCode: code)
        let error = await #expect(throws: MPinError.self) {
            try await server.mpin.finishAuthentication(of: user, pin: newPIN("1234"), accessCode: code)
        }
        #expect(error?.status == .incorrectAccessNumber)
    }
}

/// A client that is connected to the server under test.
private struct LiveServer {
    static let address = ProcessInfo.processInfo.environment["LOGIN_KIOSK_LIVE_SERVER"]

    let base: WebAddress
    let rpsPrefix: String
    let mpin: MPin

    init() async throws {
        base = try WebAddress(try #require(LiveServer.address))
        mpin = MPin(
            transport: try CurlHTTPTransport(CurlHTTPTransport.Configuration()), storage: InMemoryStorage(),
            trust: TrustPolicy(
                entries: [try TrustEntry("\(base.origin.host):\(base.origin.port)")], allowsLoopbackHTTP: true),
            configuration: MPin.Configuration(clientVersion: "1.0"),
            logger: Logger(label: "live") { _ in SwiftLogNoOpLogHandler() })
        try await mpin.initialize()
        let service = try await mpin.serviceDetails(at: base)
        rpsPrefix = service.rpsPrefix
        try await mpin.setBackend(service.backendURL, rpsPrefix: rpsPrefix, namedBy: service.namedBy)
    }

    func register(_ identity: String = "\(UUID().uuidString.lowercased())@example.com") async throws -> User {
        var user = try await mpin.startRegistration(of: await mpin.makeNewUser(identity))
        try #require(user.state == .activated, "the server waits for a mail; let it activate by itself")
        user = try await mpin.confirmRegistration(of: user)
        return try await mpin.finishRegistration(of: user, pin: newPIN("1234"))
    }

    /// Both sides at once: the server answers the client when the browser is done.
    func logIn(_ user: User, _ code: AccessCode, _ browser: LiveBrowser, _ offer: [String: Any]) async throws {
        let webOTT = try #require(offer["webOTT"] as? String)
        try await mpin.startAuthentication(of: user, accessCode: code)
        async let login = mpin.finishAuthentication(of: user, pin: newPIN("1234"), accessCode: code)
        #expect(try await browser.follow(webOTT) == 200)
        _ = try await login
    }
}

/// The requests of the classic login page.
private struct LiveBrowser {
    private let base: String
    private let rps: String
    private let session = URLSession(configuration: .ephemeral)

    init(_ server: LiveServer) {
        base = server.base.base.absoluteText
        rps = "\(base)/\(server.rpsPrefix)"
    }

    func post(_ path: String, _ body: [String: String] = [:]) async throws -> [String: Any] {
        let data = try await send("\(rps)/\(path)", body).data
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    /// Polls until the device is done, then presents the one-time token. - Returns: the verdict's HTTP status.
    func follow(_ webOTT: String) async throws -> Int {
        var patience = Patience()
        while !patience.isOver() {
            let access = try await post("access", ["webOTT": webOTT])
            if let authOTT = access["authOTT"] as? String, !authOTT.isEmpty {
                return try await send("\(base)/mpinAuthenticate", ["mpinResponse": ["authOTT": authOTT]]).status
            }
            try await Task.sleep(for: .milliseconds(100))
        }
        return 0
    }

    private func send(_ address: String, _ body: Any) async throws -> (data: Data, status: Int) {
        var request = URLRequest(url: try #require(URL(string: address)))
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = try JSONSerialization.data(withJSONObject: body)
        let (data, response) = try await session.data(for: request)
        return (data, (response as? HTTPURLResponse)?.statusCode ?? 0)
    }
}
