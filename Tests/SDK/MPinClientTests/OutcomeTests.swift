// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinClient
import Synchronization
import Testing

/// Blocking, revocation, unknown outcomes, cancellation: the state after a failed login.
@Suite struct OutcomeTests {
    @Test func theServerBlocks() async throws {
        let device = try await Device().ready()
        let user = try await device.user(.registered)
        var kinds: [MPinError.Kind?] = []
        for _ in 0..<3 {
            try await device.mpin.startAuthentication(of: user)
            let error = await #expect(throws: MPinError.self) {
                try await device.mpin.finishAuthentication(of: user, pin: makePin("4321"), accessCode: accessCode)
            }
            #expect(error?.status == .incorrectPIN)
            kinds.append(error?.kind)
        }
        #expect(kinds == [.wrongPIN, .wrongPIN, .blocked])
        #expect(try await device.mpin.user(user.key)?.state == .blocked)
        // Once deleted, the person may register again.
        try await device.mpin.deleteUser(user)
        #expect(try await device.user(.registered).state == .registered)
    }

    @Test func aRightPINInBetweenResetsTheServersCount() async throws {
        let device = try await Device().ready()
        let user = try await device.user(.registered)
        for pin in ["1111", "2222", "1234", "1111", "2222", "1234"] {
            try await device.mpin.startAuthentication(of: user)
            do { _ = try await device.mpin.finishAuthentication(of: user, pin: makePin(pin)) } catch {
                #expect(pin != "1234")
            }
        }
        #expect(try await device.mpin.user(user.key)?.state == .registered)
    }

    @Test func aRevokedIdentityLosesItsToken() async throws {
        let device = try await Device().ready()
        let user = try await device.user(.registered)
        device.transport.on(.get, "/rps/timePermit/*", .status(410))
        let error = await #expect(throws: MPinError.self) { try await device.mpin.startAuthentication(of: user) }
        #expect(error?.status == .revoked)
        #expect(try await device.mpin.user(user.key)?.state == .blocked)
        try await expectStoredBlocked(device)
    }

    /// Over plain http anybody on the machine may have sent the refusal, so it ends this login and nothing else.
    @Test func aRefusalOverPlainHTTPKeepsTheToken() async throws {
        let service = try TrustLine("localhost:8480 -> rps.test dta.test storage.test")
        let device = Device(
            backend: try ScriptedBackend(), trust: TrustPolicy(lines: [service], allowsLoopbackHTTP: true))
        let settings = device.backend.settings.merging(["timePermitsURL": "/rps/timePermit"]) { $1 }
        device.transport.on(.get, "/rps/clientSettings", json(settings))
        try await device.mpin.initialize()
        try await device.mpin.setBackend(try WebAddress("http://localhost:8480"))
        let user = try await device.user(.registered)
        device.transport.onNext(.get, "/rps/timePermit/*", .status(410))
        let revoked = await #expect(throws: MPinError.self) { try await device.mpin.startAuthentication(of: user) }
        #expect(revoked?.status == .revoked && revoked?.kind == .revoked && revoked?.isFinalRefusal == false)
        #expect(try await device.mpin.user(user.key)?.state == .registered)
        try await device.mpin.startAuthentication(of: user)
        _ = try await device.mpin.finishAuthentication(of: user, pin: makePin("1234"))
        // The verdict follows a proof.
        device.transport.onNext(.post, "/mpinAuthenticate", .status(410))
        try await device.mpin.startAuthentication(of: user)
        let blocked = await #expect(throws: MPinError.self) {
            try await device.mpin.finishAuthentication(of: user, pin: makePin("1234"))
        }
        #expect(blocked?.status == .incorrectPIN && blocked?.kind == .blocked && blocked?.isFinalRefusal == true)
        #expect(try await device.mpin.user(user.key)?.state == .blocked)
    }

    @Test func aBlockedIdentityIsBlockedWhateverTheStoreDoes() async throws {
        let device = try await Device().ready()
        let user = try await device.user(.registered)
        try await device.mpin.startAuthentication(of: user)
        device.transport.on(.post, "/mpinAuthenticate", .status(410))
        device.storage.failure = IdentityStorageError(.unavailable, detail: "read-only")
        let error = await #expect(throws: MPinError.self) {
            try await device.mpin.finishAuthentication(of: user, pin: makePin("1234"))
        }
        #expect(error?.status == .incorrectPIN && error?.detail.contains("read-only") == true)
        #expect(try await device.mpin.user(user.key)?.state == .blocked)
        #expect(device.log.text.contains("could not be stored"))
        await #expect(throws: MPinError.self) { try await device.mpin.startAuthentication(of: user) }
    }

    @Test(arguments: [Endpoint.pass2, .relyingParty, .browserSession], [true, false])
    func anUnansweredCallAfterPass2IsUnknown(_ endpoint: Endpoint, _ wasSent: Bool) async throws {
        let stage = try await Stage(endpoint)
        stage.device.transport.on(
            endpoint.method, endpoint.path,
            .failure(HTTPTransportError(.timedOut, requestMayHaveBeenSent: wasSent, detail: "planned")))
        let error = try #require(try await stage.callFails())
        #expect(error.status == .networkError && error.outcomeIsUnknown == wasSent)
        #expect(error.detail.contains("unknown") == wasSent)
        // Nothing is retried automatically.
        #expect(stage.device.transport.requests.filter { $0.url.path == endpoint.path }.count == 1)
        #expect(try await stage.device.mpin.user(stage.user.key)?.state == .registered)
    }

    @Test func anUnansweredPass1IsKnown() async throws {
        let stage = try await Stage(.pass1)
        stage.device.transport.on(
            .post, "/rps/pass1",
            .failure(HTTPTransportError(.timedOut, requestMayHaveBeenSent: true, detail: "planned")))
        let error = try #require(try await stage.callFails())
        #expect(error.status == .networkError && !error.outcomeIsUnknown)
    }

    @Test(arguments: Endpoint.allCases) func cancellingEndsTheRequest(_ endpoint: Endpoint) async throws {
        let stage = try await Stage(endpoint)
        let before = try await stage.device.mpin.allUsers()
        stage.device.transport.on(endpoint.method, endpoint.path, .silence)
        let task = Task { try await stage.callFails() }
        await stage.device.transport.waitForRequest(endpoint.method, endpoint.path)
        task.cancel()
        let error = try await task.value
        #expect(error?.status == .networkError)
        #expect(error?.outcomeIsUnknown == endpoint.comesAfterPass2)
        #expect(try await stage.device.mpin.allUsers() == before)
        try await stage.worksAgain()
    }

    @Test func aCancelledCallMakesNoFurtherRequest() async throws {
        let device = try await Device().ready()
        device.transport.forgetRequests()
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await device.mpin.serviceDetails(at: try WebAddress("https://login.test"))
        }
        task.cancel()
        let error = await #expect(throws: MPinError.self) { try await task.value }
        #expect(error?.status == .networkError)
        #expect(device.transport.requests.isEmpty)
    }

    @Test func aVerdictIsStoredThoughTheCallerIsGone() async throws {
        let backend = try ScriptedBackend()
        let storage = CancellableStorage()
        let device = CancellingTransport(inner: backend.transport)
        let mpin = MPin(
            transport: device, storage: storage, trust: nil, configuration: MPin.Configuration(clientVersion: "1"),
            logger: LogCapture().logger)
        try await mpin.initialize()
        try await mpin.setBackend(try WebAddress(ScriptedBackend.backendURL))
        backend.change { $0.forceActivate = true }
        let user = try await mpin.startRegistration(of: await mpin.makeNewUser("alice@example.com"))
        _ = try await mpin.confirmRegistration(of: user)
        _ = try await mpin.finishRegistration(of: user, pin: makePin("1234"))
        try await mpin.startAuthentication(of: user)
        backend.transport.on(.post, "/mpinAuthenticate", .status(410))
        // The caller is cancelled exactly when the verdict arrives.
        let task = Task { try await mpin.finishAuthentication(of: user, pin: makePin("9999")) }
        device.cancelAtVerdict { task.cancel() }
        let error = await #expect(throws: MPinError.self) { try await task.value }
        #expect(error?.status == .incorrectPIN)
        let second = MPin(
            transport: backend.transport, storage: storage.inner, trust: nil,
            configuration: MPin.Configuration(clientVersion: "1"), logger: LogCapture().logger)
        try await second.initialize()
        #expect(try await second.user(user.key)?.state == .blocked)
    }

    @Test func twoCallsOnOneIdentityDoNotMix() async throws {
        let stage = try await Stage(.permitShare1)
        stage.device.transport.on(.get, "/rps/timePermit/*", .silence)
        let mpin = stage.device.mpin
        let task = Task { try await stage.callFails() }
        await stage.device.transport.waitForRequest(.get, "/rps/timePermit/*")
        for call in [{ try await mpin.startAuthentication(of: stage.user) }, { try await mpin.deleteUser(stage.user) }]
        {
            let error = await #expect(throws: MPinError.self) { try await call() }
            #expect(error?.status == .flowError)
        }
        // Another person does not have to wait.
        let other = try await stage.device.user(.startedRegistration, identity: "bob@example.com")
        #expect(other.state == .startedRegistration)
        task.cancel()
        #expect(try await task.value?.status == .networkError)
        try await stage.worksAgain()
    }

    @Test func theLaterBackendWins() async throws {
        let backend = try ScriptedBackend()
        let gate = GatedTransport(inner: backend.transport, path: "/slow/rps/clientSettings")
        backend.transport.on(.get, "/slow/rps/clientSettings", json(backend.settings))
        let mpin = MPin(
            transport: gate, storage: InMemoryStorage(), trust: nil,
            configuration: MPin.Configuration(clientVersion: "1"), logger: LogCapture().logger)
        try await mpin.initialize()
        let slow = Task { try await mpin.setBackend(try WebAddress("https://rps.test/slow")) }
        await gate.waitUntilReached()
        try await mpin.setBackend(try WebAddress("https://rps.test"))
        gate.open()
        let error = await #expect(throws: MPinError.self) { try await slow.value }
        #expect(error?.status == .flowError)
        #expect(await mpin.makeNewUser("a").key.backend == "rps.test")
    }

    /// The record of a blocked identity contains no token: it is far shorter than one.
    private func expectStoredBlocked(_ device: Device) async throws {
        let stored = try #require(try await device.storage.identities().first)
        let other = Device(backend: device.backend, storage: device.storage)
        try await other.mpin.initialize()
        #expect(try await other.mpin.user(stored.key)?.state == .blocked)
        #expect(stored.record.count < 130)
    }
}

/// A store that fails when its caller is cancelled, like databases.
private struct CancellableStorage: IdentityStorage {
    let inner = InMemoryStorage()

    func prepareToSave() async throws(IdentityStorageError) { try await inner.prepareToSave() }

    func identities() async throws(IdentityStorageError) -> [StoredIdentity] { try await inner.identities() }

    func save(_ identity: StoredIdentity) async throws(IdentityStorageError) -> Int {
        guard !Task.isCancelled else { throw IdentityStorageError(.unavailable, detail: "cancelled") }
        return try await inner.save(identity)
    }

    func remove(_ key: IdentityKey) async throws(IdentityStorageError) {
        guard !Task.isCancelled else { throw IdentityStorageError(.unavailable, detail: "cancelled") }
        try await inner.remove(key)
    }
}

private final class CancellingTransport: HTTPTransport {
    private let inner: FakeTransport
    private let ready = AsyncStream.makeStream(of: Void.self)
    private let cancel = Mutex<@Sendable () -> Void>({})

    init(inner: FakeTransport) { self.inner = inner }

    func cancelAtVerdict(_ body: @escaping @Sendable () -> Void) {
        cancel.withLock { $0 = body }
        ready.continuation.finish()
    }

    func send(_ request: HTTPRequest) async throws(HTTPTransportError) -> HTTPResponse {
        let response = try await inner.send(request)
        if request.url.path == "/mpinAuthenticate" {
            for await _ in ready.stream {}
            cancel.withLock { $0 }()
        }
        return response
    }
}
