// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import MPinCrypto
import Synchronization
import Testing

@testable import ReferenceBackend

/// The verdicts 401, 401, 410, and attempts to evade them.
@Suite struct VerdictTests {
    /// Longer than any delay after a failure.
    static let enough = Duration.seconds(5)

    @Test func threeWrongPINsBlock() async throws {
        try await withBackend { backend in
            let device = try await Device.registered("alice@example.com", pin: "1234", at: backend)
            var statuses: [Int] = []
            for pin in ["9999", "9998", "9997", "1234"] {
                statuses.append(try await device.logIn(pin: pin).status)
                backend.clock.advance(by: Self.enough)
            }
            #expect(statuses == [401, 401, 410, 410])
        }
    }

    @Test func theRightPINForgetsTheWrongOnes() async throws {
        try await withBackend { backend in
            let device = try await Device.registered("alice@example.com", pin: "1234", at: backend)
            var statuses: [Int] = []
            for pin in ["9999", "9998", "1234", "9999", "9998", "1234"] {
                statuses.append(try await device.logIn(pin: pin).status)
                backend.clock.advance(by: Self.enough)
            }
            #expect(statuses == [401, 401, 200, 401, 401, 200])
        }
    }

    @Test func wrongPINsForABrowserCountToo() async throws {
        try await withBackend { backend in
            let device = try await Device.registered("alice@example.com", pin: "1234", at: backend)
            let (accessCode, webOTT) = try await backend.client.newQRSession()
            var statuses: [Int] = []
            for pin in ["9999", "9998", "9997"] {
                statuses.append(try await device.logInBrowser(pin: pin, accessCode: accessCode).status)
                backend.clock.advance(by: Self.enough)
            }
            #expect(statuses == [401, 401, 410])
            // The browser learns nothing of it.
            #expect(try await backend.client.access(webOTT).string("status") == "new")
        }
    }

    @Test func aBurstOfWrongLoginsDoesNotBlock() async throws {
        try await withBackend { backend in
            let device = try await Device.registered("alice@example.com", pin: "1234", at: backend)
            let permit = try await device.permit()
            #expect(try await device.logIn(pin: "9999", permit: permit).status == 401)
            // The second is judged after a delay. Meanwhile a third is refused and not counted.
            async let second = device.logIn(pin: "9998", permit: permit)
            try await backend.clock.waitForSleeper()
            let third = try await device.logIn(pin: "1234", permit: permit)
            #expect(third.status == 429)
            #expect(third.headers[.retryAfter] != nil)
            backend.clock.advance(by: .seconds(2))
            #expect(try await second.status == 401)
            let users = try await BackendState(directory: backend.state.path, clock: backend.clock).users()
            #expect(users.map(\.failures) == [2])
        }
    }

    /// A device that was told to wait sends its authOTT again, once.
    @Test func whatWasNotJudgedIsJudgedLater() async throws {
        try await withBackend { backend in
            let device = try await Device.registered("alice@example.com", pin: "1234", at: backend)
            let permit = try await device.permit()
            #expect(try await device.logIn(pin: "9999", permit: permit).status == 401)
            async let second = device.logIn(pin: "9998", permit: permit)
            try await backend.clock.waitForSleeper()
            let body = try await device.handedIn(pin: "1234", permit: permit)
            for _ in 0..<3 { #expect(try await backend.client.post("/mpinAuthenticate", body).status == 429) }
            backend.clock.advance(by: Self.enough)
            #expect(try await second.status == 401)
            backend.clock.advance(by: Self.enough)
            #expect(try await backend.client.post("/mpinAuthenticate", body).status == 200)
            #expect(try await backend.client.post("/mpinAuthenticate", body).status == 408)
        }
    }

    /// The storage claims an identity and its answer is lost. The next login does not have to wait for the claim's
    /// end.
    @Test(arguments: Backend.Dialect.allCases) func aClaimWithoutAnAnswerIsGivenBack(
        _ dialect: Backend.Dialect
    ) async throws {
        let state = TemporaryFolder()
        let embedded = try BackendStorage.embedded(in: try StateDirectory(path: state.path))
        let ledger = SilentLedger(embedded.ledger)
        let storage = BackendStorage(durable: embedded.durable, ledger: ledger, volatile: embedded.volatile)
        try await withBackend(
            state: state, storage: storage, configure: { $0.companyID = AnyDevice.companyID }
        ) { backend in
            let place = try backend.identified(as: AnyDevice.companyID).below("/" + dialect.rawValue)
            let device = try await AnyDevice.registered(dialect, at: place)
            let lost = try await device.passes(pin: "1234")
            ledger.isSilent.store(true, ordering: .relaxed)
            #expect(try await device.handIn(lost).status == 503)
            // It tries once a second.
            for _ in 0..<3 {
                try await backend.clock.waitForSleeper()
                backend.clock.advance(by: AbandonedClaims.pause)
            }
            let body = try await device.passes(pin: "1234")
            ledger.isSilent.store(false, ordering: .relaxed)
            #expect(try await device.handIn(body).status == 429)
            try await backend.clock.waitForSleeper()
            backend.clock.advance(by: AbandonedClaims.pause)
            try await backend.clock.waitForSleeper()
            #expect(try await device.handIn(body).status == 200)
        }
    }

    @Test func anAuthOTTCountsOnce() async throws {
        try await withBackend { backend in
            let device = try await Device.registered("alice@example.com", pin: "1234", at: backend)
            for (pin, status) in [("9999", 401), ("1234", 200)] {
                let body = try await device.handedIn(pin: pin, permit: try await device.permit())
                #expect(try await backend.client.post("/mpinAuthenticate", body).status == status)
                #expect(try await backend.client.post("/mpinAuthenticate", body).status == 408)
                backend.clock.advance(by: Self.enough)
            }
        }
    }

    @Test func anAuthOTTEndsAfterAMinute() async throws {
        try await withBackend { backend in
            let device = try await Device.registered("alice@example.com", pin: "1234", at: backend)
            for (wait, status) in [(Duration.seconds(59), 200), (.seconds(60), 408)] {
                let body = try await device.handedIn(pin: "1234", permit: try await device.permit())
                backend.clock.advance(by: wait)
                #expect(try await backend.client.post("/mpinAuthenticate", body).status == status)
            }
        }
    }

    @Test func pass2CannotBeReplayed() async throws {
        try await withBackend { backend in
            let device = try await Device.registered("alice@example.com", pin: "1234", at: backend)
            let body = try await device.passTwoBody(pin: "1234", permit: try await device.permit())
            #expect(try await backend.client.post("/rps/pass2", body).status == 200)
            #expect(try await backend.client.post("/rps/pass2", body).status == 403)
        }
    }

    @Test func pass1EndsAfterFifteenSeconds() async throws {
        try await withBackend { backend in
            let device = try await Device.registered("alice@example.com", pin: "1234", at: backend)
            let permit = try await device.permit()
            for (wait, status) in [(Duration.seconds(14), 200), (.seconds(15), 403)] {
                let body = try await device.passTwoBody(pin: "1234", permit: permit)
                backend.clock.advance(by: wait)
                #expect(try await backend.client.post("/rps/pass2", body).status == status)
            }
        }
    }

    @Test func rubbishIsRefusedAndNotCounted() async throws {
        try await withBackend { backend in
            let device = try await Device.registered("alice@example.com", pin: "1234", at: backend)
            var body = try await device.passTwoBody(pin: "1234", permit: try await device.permit())
            // 65 bytes that are no point of the curve.
            body["V"] = .string("04" + String(repeating: "01", count: 64))
            #expect(try await backend.client.post("/rps/pass2", body).status == 403)
            #expect(try await device.logIn(pin: "1234").status == 200)
        }
    }
}

extension Device {
    /// The body of a device's last request.
    fileprivate func handedIn(pin: String, permit: TimePermit?) async throws -> [String: JSONValue] {
        ["mpinResponse": .object(try await passes(pin: pin, permit: permit).object.members)]
    }
}

/// A storage that works, but whose answers are lost.
private final class SilentLedger: LoginLedger {
    let isSilent = Atomic(false)
    private let ledger: any LoginLedger

    init(_ ledger: any LoginLedger) { self.ledger = ledger }

    private func answer<Value>(_ value: Value) throws(StorageError) -> Value {
        if isSilent.load(ordering: .relaxed) { throw StorageError(reason: "no answer came") }
        return value
    }

    nonisolated(nonsending) func begin(
        _ order: LoginOrder, keeping record: PassOneRecord, in passOnes: any VolatileTable<MPinID, PassOneRecord>,
        now: WallTime
    ) async throws(StorageError) -> Beginning? {
        try await ledger.begin(order, keeping: record, in: passOnes, now: now)
    }

    nonisolated(nonsending) func answer(
        _ passOnes: any VolatileTable<MPinID, PassOneRecord>, of mpinID: MPinID, with second: PassTwo,
        in logins: any VolatileTable<OneTimeToken, BegunLogin>, under authOTT: OneTimeToken, now: WallTime
    ) async throws(StorageError) -> Bool {
        try await ledger.answer(passOnes, of: mpinID, with: second, in: logins, under: authOTT, now: now)
    }

    nonisolated(nonsending) func keep(
        _ login: BegunLogin, in logins: any VolatileTable<OneTimeToken, BegunLogin>, under authOTT: OneTimeToken,
        now: WallTime
    ) async throws(StorageError) {
        try await ledger.keep(login, in: logins, under: authOTT, now: now)
    }

    nonisolated(nonsending) func claim<Session: Codable & Sendable>(
        _ authOTT: OneTimeToken, in logins: any VolatileTable<OneTimeToken, BegunLogin>, isPlain: Bool,
        seeing sessions: any VolatileTable<String, Session>, as claim: UInt64, until end: WallTime, now: WallTime
    ) async throws(StorageError) -> LoginClaim<Session> {
        try answer(
            try await ledger.claim(
                authOTT, in: logins, isPlain: isPlain, seeing: sessions, as: claim, until: end, now: now))
    }

    nonisolated(nonsending) func claim(
        _ mpinID: MPinID, as claim: UInt64, until end: WallTime, now: WallTime
    ) async throws(StorageError) -> JudgingClaim {
        try answer(try await ledger.claim(mpinID, as: claim, until: end, now: now))
    }

    nonisolated(nonsending) func settle(
        _ verdict: LoginVerdict, of mpinID: MPinID, claim: UInt64, now: WallTime, then sequel: VerdictSequel?
    ) async throws(StorageError) -> SettledLogin {
        try answer(try await ledger.settle(verdict, of: mpinID, claim: claim, now: now, then: sequel))
    }

    /// A storage that hangs releases nothing.
    nonisolated(nonsending) func release(
        _ mpinID: MPinID?, claim: UInt64, now: WallTime
    ) async throws(StorageError) {
        _ = try answer(())
        try await ledger.release(mpinID, claim: claim, now: now)
    }
}
