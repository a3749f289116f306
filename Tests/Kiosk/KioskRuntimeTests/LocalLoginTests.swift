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
        return try KioskRig(session: session, tasks: [.localLogin], localLogins: [login])
    }

    @Test func logsInAndOpens() async throws {
        let rig = try rig()
        try await rig.run("wait scan; key menu 1; wait pin; key 2583 enter; wait outcome, title doorOpened")
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
            try await rig.play("wait scan; key menu 1; wait pin; key 1111 enter; wait wrongPIN")
            #expect(door.people.isEmpty)
            try await rig.play("time 1; wait pin; key 2583 enter; wait outcome, title doorOpened")
        }
        #expect(rig.steps.calls.suffix(2) == ["finishLocalLogin 1111 fresh1", "finishLocalLogin 2583 fresh1"])
        #expect(door.people == ["alice@example.com"])
    }

    @Test func whoLeavesGivesTheSessionUp() async throws {
        let rig = try rig()
        try await rig.run(
            """
            wait scan; key menu 1; wait pin; key back; wait outcome, title taskLeft; called abort fresh1
            """)
        #expect(door.people.isEmpty)
    }

    @Test func nobodyIsAskedForAPINForATiredDoor() async throws {
        let rig = try rig()
        door.tire(for: .seconds(7))
        try await rig.run("wait scan; key menu 1; wait outcome, title doorTooOften")
        #expect(rig.steps.calls.allSatisfy { !$0.hasPrefix("freshAccessCode") } && door.people.isEmpty)
    }

    static let failures: [(DoorFailure, PromptKey)] = [
        (DoorFailure(.broken, "the chip is gone"), .doorFailed), (DoorFailure(.unknown, "no answer"), .doorUnknown),
        (DoorFailure(.tooOften(.seconds(3)), "too often"), .doorTooOften),
    ]

    @Test(arguments: failures) func saysThatTheDoorDidNotOpen(_ failure: DoorFailure, _ title: PromptKey) async throws {
        let rig = try rig()
        door.fail(failure)
        try await rig.run("wait scan; key menu 1; wait pin; key 2583 enter; wait outcome, title \(title)")
        #expect(rig.log.text.contains(failure.detail))
    }

    @Test(arguments: [SessionOutcome.notAuthorized, .revoked, .unreachable, .outcomeUnknown, .failed])
    func opensForNobodyWhoIsNotLoggedIn(_ reason: SessionOutcome) async throws {
        let rig = try rig()
        rig.steps.fail("finishLocalLogin", reason)
        try await rig.run("wait scan; key menu 1; wait pin; key 2583 enter; wait outcome, tone failure")
        #expect(door.people.isEmpty)
    }

    @Test func aRegistrationHasASessionOfItsOwn() async throws {
        let rig = try rig(session: BackendSession())
        try await rig.run(
            """
            wait scan; key menu 1; wait identityEntry; type carol@example.com; key enter
            wait emailConfirmation
            """)
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
