// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskTestKit
import Logging
import LoginValues
import MPinClient
import Synchronization
import Testing
@testable import KioskRuntime

@Suite("Runs for scripts take the kiosk's steps and end with a named outcome", .timeLimit(.minutes(10)))
struct RunTests {
    static func trust() throws -> TrustPolicy {
        TrustPolicy(entries: [try TrustEntry("login.example.com"), try TrustEntry("127.0.0.1:8480")])
    }

    static func run(_ steps: FakeStepRunner, _ trust: TrustPolicy = TrustPolicy()) -> CommandRun {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let sdk = MPin(
            transport: FakeTransport(), storage: InMemoryStorage(), trust: nil,
            configuration: MPin.Configuration(clientVersion: "1"), logger: logger)
        return CommandRun(OperatorClient(sdk: sdk, trust: trust, logger: logger), steps)
    }

    static func pin(_ text: String) -> Pin? {
        var entry = PinEntry()
        for digit in text.utf8 { entry.append(digit - UInt8(ascii: "0")) }
        return Pin(entry)
    }

    /// - Returns: nil when the browser is logged in.
    static func login(
        _ steps: FakeStepRunner, symbol: String = KioskRig.code, user: String = "alice@example.com",
        pin: String? = "2583"
    ) async throws -> KioskFailure? {
        let run = run(steps, try trust())
        do throws(KioskFailure) {
            try await run.logIn(
                symbol: SecretBytes(copying: Array(symbol.utf8)), userID: user
            ) { question in
                #expect(question.place == "domain login.example.com")
                guard let pin else { return nil }
                return Self.pin(pin)
            }
            return nil
        } catch { return error }
    }

    @Test func aLogin() async throws {
        let steps = FakeStepRunner()
        #expect(try await Self.login(steps, user: "Alice@Example.com") == nil)
        #expect(steps.calls.last == "finishAuthentication 2583")
    }

    @Test(arguments: [
        ("nonsense", "alice@example.com", "2583", SessionOutcome.invalidCode),
        ("https://evil.example.org#c", "alice@example.com", "2583", .untrusted),
        ("http://127.0.0.1:8480#c", "alice@example.com", "2583", .loopbackHTTP),
        ("http://127.0.0.1:8481#c", "alice@example.com", "2583", .untrusted),
    ])
    func refusedBeforeAnythingIsAsked(symbol: String, user: String, pin: String, outcome: SessionOutcome) async throws {
        let steps = FakeStepRunner()
        #expect(try await Self.login(steps, symbol: symbol, user: user, pin: pin)?.outcome == outcome)
        #expect(steps.calls == [])
    }

    @Test func theServerHearsOfALoginThatWasGivenUp() async throws {
        let unknown = FakeStepRunner()
        #expect(try await Self.login(unknown, user: "nobody@example.com")?.outcome == .unknownUser)
        #expect(unknown.calls.last == "abort c0de1")
        let declined = FakeStepRunner()
        #expect(try await Self.login(declined, pin: nil)?.outcome == .declined)
        #expect(declined.calls.last == "abort c0de1")
        let wrong = FakeStepRunner()
        #expect(
            try await Self.login(wrong, pin: "1111")
                == KioskFailure(.wrongPIN, status: "INCORRECT_PIN", passTwoWasSent: true))
        #expect(wrong.calls.last == "abort c0de1")
    }

    @Test(arguments: [
        ("readService", SessionOutcome.versionRefused, SessionOutcome.versionRefused),
        ("readService", .serviceUnavailable, .serviceUnavailable),
        ("openBackend", .unreachable, .unreachable),
        ("openBackend", .untrusted, .untrusted), ("readService", .anotherService, .anotherService),
        ("openBackend", .anotherService, .anotherService),
        ("readService", .serverKeyRefused, .serverKeyRefused),
        ("finishAuthentication", .serverKeyRefused, .serverKeyRefused),
        ("openBackend", .sessionExpired, .sessionExpired),
        ("startAuthentication", .revoked, .revoked),
        ("finishAuthentication", .blocked, .blocked),
        ("finishAuthentication", .sessionExpired, .sessionExpired),
        ("finishAuthentication", .outcomeUnknown, .outcomeUnknown),
    ])
    func failures(step: String, reason: SessionOutcome, outcome: SessionOutcome) async throws {
        let steps = FakeStepRunner()
        steps.fail(step, reason)
        #expect(try await Self.login(steps) == KioskFailure(outcome, status: "STATUS"))
    }

    /// A failure of the service explains that of its backend, unless the service is only busy or absent.
    @Test(arguments: [
        (KioskFailure(.invalidConfiguration, status: "RESPONSE_PARSE_ERROR"), true),
        (KioskFailure(.serviceUnavailable, status: "HTTP_SERVER_ERROR"), true),
        (KioskFailure(.serviceUnavailable, status: "NETWORK_ERROR"), false),
        (KioskFailure(.unreachable, status: "HTTP_SERVER_ERROR"), false),
    ])
    func serviceAndBackendFail(service: KioskFailure, explains: Bool) async throws {
        let steps = FakeStepRunner()
        steps.fail("readService", with: service)
        steps.fail("openBackend", .failed)
        let run = Self.run(steps, try Self.trust())
        await #expect(throws: explains ? service : KioskFailure(.failed, status: "STATUS")) {
            try await run.open(try WebAddress("https://login.example.com"), rpsPrefix: nil)
        }
    }

    /// No PIN is asked for if the login would fail anyway.
    @Test(arguments: [
        (BackendSession.Obstacle.codeExpired, SessionOutcome.sessionExpired), (.browserElsewhere, .notAuthorized),
    ])
    func obstacles(obstacle: BackendSession.Obstacle, outcome: SessionOutcome) async throws {
        let steps = FakeStepRunner(session: BackendSession(obstacle: obstacle, identities: [FakeStepRunner.alice]))
        #expect(try await Self.login(steps) == KioskFailure(outcome))
        #expect(!steps.calls.contains { $0.hasPrefix("startAuthentication") })
    }

    @Test func onlySuccessIsZero() {
        for outcome in SessionOutcome.allCases {
            #expect((outcome.exitCode == 0) == outcome.isSuccess)
            #expect((0...125).contains(outcome.exitCode))
        }
    }
}
