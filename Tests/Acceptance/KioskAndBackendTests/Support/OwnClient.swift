// SPDX-License-Identifier: Apache-2.0

import BackendValues
import Patience
import BackendTestKit
import CurlTransport
import KioskTestKit
import LoginValues
import MPinClient
import Testing

@testable import MPinServer
@testable import ReferenceBackend

/// The SDK's client with a running backend: a kiosk without screen and keypad.
struct OwnClient: Sendable {
    let backend: RunningBackend
    let dialect: Dialect
    let network: StepTransport
    let companyID = "our-company"
    let storage: InMemoryStorage
    let trust: TrustPolicy
    let mpin: MPin

    /// Host and port by which it is reached, also behind a proxy.
    static func name(of backend: RunningBackend) -> String {
        backend.addresses.publicURL.split(separator: "/").last.map(String.init) ?? ""
    }

    func openPage() async throws -> Browser {
        let browser = Browser(backend)
        _ = try await browser.get("/")
        return browser
    }

    func code(on browser: Browser) async throws -> AccessCode {
        try #require(AccessCode(try await browser.accessCode()))
    }

    /// Registers with the PIN 1234, after asking for one mail more than needed.
    func register(_ identity: String, _ code: AccessCode) async throws -> User {
        var user = try await mpin.startRegistration(
            of: await mpin.makeNewUser(identity, deviceName: "front door"), userData: "x", accessCode: code,
            pushIdentifier: "push:1")
        #expect(user.registrationExpires?.timeLeft == .seconds(3600))
        let early = await #expect(throws: MPinError.self) { try await mpin.confirmRegistration(of: user) }
        #expect(early?.status == .identityNotVerified && early?.kind == .notVerified)
        user = try await mpin.restartRegistration(of: user, userData: "y")
        try await backend.confirmNewestMail()
        user = try await mpin.confirmRegistration(of: user, pushIdentifier: "push:1")
        return try await mpin.finishRegistration(of: user, pin: try newPIN("1234"))
    }
}

/// Starts a backend with `dialect` and connects a client to it.
func withClient<Value: Sendable>(
    _ dialect: Dialect, _ folder: TemporaryFolder = TemporaryFolder(), _ identities: [StoredIdentity] = [],
    _ body: @escaping @Sendable (OwnClient) async throws -> Value
) async throws -> Value {
    try await withBackend(state: folder, options: OwnClient.options(dialect)) { backend in
        try await OwnClient.connected(to: backend, dialect, identities, body)
    }
}

extension OwnClient {
    /// - Parameters:
    ///   - identities: those of the same backend at another port, from an earlier run.
    ///   - others: further lines of the trust list.
    ///   - authority: host and port of a D-TA that the backend may name.
    ///   - company: the company that the device names.
    init(
        _ backend: RunningBackend, _ dialect: Dialect, _ transport: any HTTPTransport,
        _ identities: [StoredIdentity], trusting others: [String] = [], authority: String? = nil,
        company: String? = "our-company"
    ) async throws {
        self.backend = backend
        self.dialect = dialect
        network = StepTransport(transport)
        let name = Self.name(of: backend)
        storage = InMemoryStorage(
            identities.map {
                StoredIdentity(key: IdentityKey(userID: $0.key.userID, backend: name), record: $0.record)
            })
        trust = TrustPolicy(
            lines: try ([authority.map { name + " -> " + $0 } ?? name] + others).map { try TrustLine($0) },
            allowsLoopbackHTTP: true)
        mpin = MPin(
            transport: network, storage: storage, trust: trust,
            configuration: MPin.Configuration(companyID: company, clientVersion: "1.0"),
            wallClock: { [clock = backend.clock] in clock.now.seconds }, logger: backend.log.logger)
        try await mpin.initialize()
        let address = try WebAddress(backend.addresses.publicURL)
        switch dialect {
        case .trust2023, .trust2025:
            // There is no service document: the address is the project.
            try await mpin.setBackend(address)
        case .milagro, .milagroWithoutPermits, .mfaV1, .mfaV2:
            let service = try await mpin.serviceDetails(at: address)
            try await mpin.setBackend(service.backendURL, rpsPrefix: service.rpsPrefix, namedBy: service.namedBy)
        }
    }

    /// The options of a backend that speaks `dialect` at its origin, to devices of the client's company.
    static func options(_ dialect: Dialect) -> [String] {
        ["--dialect", dialect.rawValue, "--company-id", "our-company"]
    }

    /// Connects a client to a running backend, and closes its connections after `body`.
    ///
    /// - Parameter authority: host and port of a D-TA that the backend may name.
    static func connected<Value: Sendable>(
        to backend: RunningBackend, _ dialect: Dialect, _ identities: [StoredIdentity] = [], authority: String? = nil,
        company: String? = "our-company", _ body: @Sendable (OwnClient) async throws -> Value
    ) async throws -> Value {
        let transport = try CurlHTTPTransport(
            CurlHTTPTransport.Configuration(addressPolicy: AddressPolicy(allowed: [.loopback])))
        let result: Result<Value, any Error>
        do {
            result = .success(
                try await body(
                    try await OwnClient(
                        backend, dialect, transport, identities, authority: authority, company: company)))
        } catch { result = .failure(error) }
        await transport.shutdown()
        return try result.get()
    }
}

func newPIN(_ digits: String) throws -> Pin {
    var entry = PinEntry()
    for digit in digits.utf8 { entry.append(digit - 0x30) }
    guard let pin = Pin(entry) else { throw NoPIN() }
    return pin
}

struct NoPIN: Error {}

extension LoginValues.SecretBytes {
    /// The secret as a text, for screens, scanners and comparisons.
    var text: String { withBytes { bytes in String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self) } }
}

extension AccessCode {
    var text: String { withCharacters { bytes in String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self) } }
}
