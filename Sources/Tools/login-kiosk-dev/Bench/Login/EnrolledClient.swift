// SPDX-License-Identifier: Apache-2.0

import CurlTransport
import Logging
import LoginValues
import MPinClient
import SQLiteStore

/// A device with one identity: the SDK with its real network and store.
struct EnrolledClient: Sendable {
    let transport: MeteredTransport
    private let mpin: MPin
    private let user: User

    /// Connects, registers the user and is ready to log in.
    init(_ user: String, at backend: BackendProcess, in folder: TemporaryFolder) async throws {
        let service = try WebAddress(backend.site)
        let location = StoreLocation(
            directory: try folder.subfolder("\(user)/state"), keyFile: try folder.subfolder("\(user)/key") + "/key")
        transport = MeteredTransport(try CurlHTTPTransport())
        mpin = MPin(
            transport: transport, storage: try SQLiteIdentityStorage(at: location),
            trust: TrustPolicy(
                entries: [try TrustEntry(String(backend.site.dropFirst("http://".count)))], allowsLoopbackHTTP: true),
            configuration: MPin.Configuration(clientVersion: "1.0"),
            logger: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() })
        try await mpin.initialize()
        let details = try await mpin.serviceDetails(at: service)
        try await mpin.setBackend(details.backendURL, rpsPrefix: details.rpsPrefix, namedBy: details.namedBy)
        let started = try await mpin.startRegistration(of: await mpin.makeNewUser(user))
        try backend.activate(user)
        let confirmed = try await mpin.confirmRegistration(of: started)
        self.user = try await mpin.finishRegistration(of: confirmed, pin: try Self.pin())
        try await startLogin()
        try await finishLogin()
    }

    /// Does the part of a login before a person types: fetches the time permit.
    func startLogin() async throws {
        try await mpin.startAuthentication(of: user)
    }

    /// Does the part of a login after the last digit.
    func finishLogin() async throws {
        _ = try await mpin.finishAuthentication(of: user, pin: try Self.pin())
    }

    private static func pin() throws -> Pin {
        var entry = PinEntry()
        for digit: UInt8 in [2, 7, 1, 8] { entry.append(digit) }
        guard let pin = Pin(entry) else { throw BenchmarkError.wrongResult("PIN") }
        return pin
    }
}
