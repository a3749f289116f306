// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinClient
import Synchronization
import Testing

/// Refusals over plain http, failing stores, cancellation, and two calls at once: the state after a failed login.
@Suite struct OutcomeTests {
    /// Over plain http anybody on the machine may have sent the refusal, so it ends this login and nothing else.
    @Test func aRefusalOverPlainHTTPKeepsTheToken() async throws {
        let service = try TrustLine("localhost:8480 -> rps.test dta.test storage.test")
        let device = Device(
            try ScriptedServer(), trust: TrustPolicy(lines: [service], allowsLoopbackHTTP: true))
        device.server.tell(["timePermitsURL": "/rps/timePermit"])
        try await device.mpin.initialize()
        try await device.setBackend("http://localhost:8480")
        let user = try await device.user(.registered)
        device.transport.onNext(.get, "/rps/timePermit/*", .status(410))
        let revoked = await expect(.revoked, .revoked) { try await device.mpin.startAuthentication(of: user) }
        #expect(revoked?.isFinalRefusal == false)
        #expect(try await device.mpin.user(user.key)?.state == .registered)
        try await device.logIn(user)
        // The verdict follows a proof.
        device.transport.onNext(.post, "/rps/authenticate", .status(410))
        let blocked = await expect(.incorrectPIN, .blocked) { try await device.logIn(user) }
        #expect(blocked?.isFinalRefusal == true)
        #expect(try await device.mpin.user(user.key)?.state == .blocked)
    }

    @Test func aBlockedIdentityIsBlockedWhateverTheStoreDoes() async throws {
        let (device, user) = try await Device.with(.registered)
        device.transport.on(.post, "/rps/authenticate", .status(410))
        device.storage.failure = IdentityStorageError(.unavailable, detail: "read-only")
        let error = await expect(.incorrectPIN) { try await device.logIn(user) }
        #expect(error?.detail.contains("read-only") == true)
        #expect(try await device.mpin.user(user.key)?.state == .blocked)
        #expect(device.log.text.contains("could not be stored"))
        await expect(.flowError) { try await device.mpin.startAuthentication(of: user) }
    }

    /// Nothing is retried automatically.
    @Test(arguments: Endpoint.allCases.filter(\.isOfLogin)) func aLostRequestIsSentOnce(_ endpoint: Endpoint)
        async throws
    {
        let stage = try await Stage(endpoint)
        stage.on(.lost(true))
        #expect(try await stage.callFails()?.status == .networkError)
        #expect(stage.transport.requests.count { $0.url.path == endpoint.path } == 1)
        #expect(try await stage.device.mpin.user(stage.user.key)?.state == .registered)
    }

    @Test(arguments: Endpoint.classic) func cancellingEndsTheRequest(_ endpoint: Endpoint) async throws {
        let stage = try await Stage(endpoint)
        let before = try await stage.device.mpin.allUsers()
        stage.on(.silence)
        let task = Task { try await stage.callFails() }
        await stage.transport.waitForRequest(endpoint.method, endpoint.path)
        task.cancel()
        let error = try await task.value
        #expect(error?.status == .networkError && error?.outcomeIsUnknown == endpoint.leavesOpen)
        #expect(try await stage.device.mpin.allUsers() == before)
        try await stage.worksAgain()
    }

    @Test func aCancelledCallMakesNoFurtherRequest() async throws {
        let device = try await Device().ready()
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await device.mpin.serviceDetails(at: try WebAddress("https://login.test"))
        }
        task.cancel()
        await expect(.networkError) { try await task.value }
        #expect(device.transport.requests.isEmpty)
    }

    /// The caller is cancelled exactly when the verdict arrives, and the store fails for a cancelled caller.
    @Test func aVerdictIsStoredThoughTheCallerIsGone() async throws {
        let (device, user) = try await Device.with(.registered)
        let storage = CancellableStorage(inner: device.storage)
        let transport = CancellingTransport(inner: device.transport)
        let mpin = MPin(
            transport: transport, storage: storage, trust: nil, configuration: MPin.Configuration(clientVersion: "1"),
            logger: device.log.logger)
        try await mpin.initialize()
        try await mpin.setBackend(try WebAddress(ScriptedServer.url))
        try await mpin.startAuthentication(of: user)
        device.transport.on(.post, "/mpinAuthenticate", .status(410))
        let task = Task { try await mpin.finishAuthentication(of: user, pin: makePin("9999")) }
        transport.cancelAtVerdict { task.cancel() }
        await expect(.incorrectPIN) { try await task.value }
        #expect(try await device.next().mpin.user(user.key)?.state == .blocked)
    }

    @Test func twoCallsOnOneIdentityDoNotMix() async throws {
        let stage = try await Stage(.permitShare1)
        stage.on(.silence)
        let mpin = stage.device.mpin
        let task = Task { try await stage.callFails() }
        await stage.transport.waitForRequest(.get, "/rps/timePermit/*")
        await expect(.flowError) { try await mpin.startAuthentication(of: stage.user) }
        await expect(.flowError) { try await mpin.deleteUser(stage.user) }
        await expect(.flowError) { try await mpin.destroy() }
        // Another person does not have to wait.
        let other = try await stage.device.user(.startedRegistration, identity: "bob@example.com")
        #expect(other.state == .startedRegistration)
        task.cancel()
        #expect(try await task.value?.status == .networkError)
        try await stage.worksAgain()
        try await mpin.destroy()
        #expect(try await stage.device.storage.identities().count == 2)
    }

    /// A slow answer about a backend counts no more once another was set, or the client was destroyed.
    @Test(arguments: [true, false]) func aBackendThatWasAskedBeforeIsNotSet(_ isDestroyed: Bool) async throws {
        let server = try ScriptedServer()
        let gate = GatedTransport(inner: server.transport, path: "/slow/rps/clientSettings")
        server.transport.on(.get, "/slow/rps/clientSettings", json(server.settings))
        let device = Device(server, through: gate)
        try await device.mpin.initialize()
        let slow = Task { try await device.setBackend("https://rps.test/slow") }
        await gate.waitUntilReached()
        if isDestroyed {
            try await device.mpin.destroy()
            try await device.mpin.initialize()
        } else {
            try await device.setBackend()
        }
        gate.open()
        await expect(.flowError) { try await slow.value }
        #expect(await device.mpin.makeNewUser("a").key.backend == (isDestroyed ? "" : "rps.test"))
    }
}

/// A store that fails when its caller is cancelled, like databases.
private struct CancellableStorage: IdentityStorage {
    let inner: InMemoryStorage

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
