// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import KioskTestKit
import Logging
import LoginValues
import MPinClient
import Testing
@testable import KioskRuntime

/// A login at the kiosk itself, with fakes of all ports.
@Suite struct LocalLoginTests {
    let door = FakeDoor()

    private func rig(session: BackendSession? = nil) throws -> KioskRig {
        let trust = TrustPolicy(entries: [try TrustEntry("access.example.com")])
        let application = RelyingPartyApplication(
            at: try WebAddress("https://access.example.com/app"), transport: FakeTransport(), trust: trust,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let login = try #require(LocalLogin("Main entrance", application: application, door: door, trust: trust))
        return try KioskRig(session: session, errands: [.localLogin], localLogins: [login])
    }

    /// Goes from the menu to the PIN.
    private func walkToPIN(_ rig: KioskRig) async throws {
        try await rig.screen.view(at: .scan)
        rig.keypad.press(.menu)
        try await rig.screen.view(at: .menu)
        rig.keypad.press(.digit(1))
        try await rig.screen.view(at: .pin)
    }

    @Test func logsInAndOpens() async throws {
        let rig = try rig()
        try await rig.run { rig in
            try await walkToPIN(rig)
            try await rig.typePIN("2583")
            try await rig.outcome(.doorOpened)
        }
        #expect(door.people == ["alice@example.com"])
        #expect(
            rig.steps.calls == [
                "readService https://access.example.com/app", "openBackend -",
                "freshAccessCode https://access.example.com/app", "startAuthentication alice@example.com",
                "finishLocalLogin 2583 fresh1",
            ])
        #expect(!rig.log.text.contains("alice") && !rig.log.text.contains("2583"))
    }

    @Test func aWrongPINIsTypedAgainForTheSameCode() async throws {
        let rig = try rig()
        try await rig.run { rig in
            try await walkToPIN(rig)
            try await rig.typePIN("1111")
            try await rig.screen.view(at: .wrongPIN)
            #expect(door.people.isEmpty)
            await rig.clock.waitForSleepers()
            rig.clock.advance(by: KioskTiming.pause(afterWrongPINs: 1))
            try await rig.screen.view(at: .pin)
            try await rig.typePIN("2583")
            try await rig.outcome(.doorOpened)
        }
        #expect(rig.steps.calls.suffix(2) == ["finishLocalLogin 1111 fresh1", "finishLocalLogin 2583 fresh1"])
        #expect(door.people == ["alice@example.com"])
    }

    @Test func whoLeavesGivesTheSessionUp() async throws {
        let rig = try rig()
        try await rig.run { rig in
            try await walkToPIN(rig)
            rig.keypad.press(.back)
            try await rig.outcome(.errandLeft)
            try await rig.steps.waitForCall("abort fresh1")
        }
        #expect(door.people.isEmpty)
    }

    @Test func nobodyIsAskedForAPINForATiredDoor() async throws {
        let rig = try rig()
        door.tire(for: .seconds(7))
        try await rig.run { rig in
            try await rig.screen.view(at: .scan)
            rig.keypad.press(.menu)
            try await rig.screen.view(at: .menu)
            rig.keypad.press(.digit(1))
            try await rig.outcome(.doorTooOften)
        }
        #expect(rig.steps.calls.allSatisfy { !$0.hasPrefix("freshAccessCode") } && door.people.isEmpty)
    }

    static let failures: [(DoorFailure, PromptKey)] = [
        (DoorFailure(.broken, "the chip is gone"), .doorFailed), (DoorFailure(.unknown, "no answer"), .doorUnknown),
        (DoorFailure(.tooOften(.seconds(3)), "too often"), .doorTooOften),
    ]

    @Test(arguments: failures) func saysThatTheDoorDidNotOpen(_ failure: DoorFailure, _ title: PromptKey) async throws {
        let rig = try rig()
        door.fail(failure)
        try await rig.run { rig in
            try await walkToPIN(rig)
            try await rig.typePIN("2583")
            try await rig.outcome(title)
        }
        #expect(rig.log.text.contains(failure.detail))
    }

    @Test(arguments: [SessionOutcome.notAuthorized, .revoked, .unreachable, .outcomeUnknown, .failed])
    func opensForNobodyWhoIsNotLoggedIn(_ reason: SessionOutcome) async throws {
        let rig = try rig()
        rig.steps.fail("finishLocalLogin", reason)
        try await rig.run { rig in
            try await walkToPIN(rig)
            try await rig.typePIN("2583")
            try await rig.screen.view { $0.stage == .outcome && $0.tone == .failure }
        }
        #expect(door.people.isEmpty)
    }

    @Test func aRegistrationHasASessionOfItsOwn() async throws {
        let rig = try rig(session: BackendSession())
        try await rig.run { rig in
            try await rig.screen.view(at: .scan)
            rig.keypad.press(.menu)
            try await rig.screen.view(at: .menu)
            rig.keypad.press(.digit(1))
            try await rig.screen.view(at: .identityEntry)
            rig.keypad.type("carol@example.com")
            rig.keypad.press(.enter)
            try await rig.screen.view(at: .emailConfirmation)
        }
        #expect(
            rig.steps.calls.suffix(2) == [
                "freshAccessCode https://access.example.com/app", "startRegistration carol@example.com",
            ])
    }

    @Test func aServerThatIsNotTrustedHasNoDoor() throws {
        let trust = TrustPolicy(entries: [try TrustEntry("login.example.com")])
        let application = RelyingPartyApplication(
            at: try WebAddress("https://evil.example.com"), transport: FakeTransport(), trust: trust,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        #expect(LocalLogin("Main", application: application, door: door, trust: trust) == nil)
    }
}
