// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import KioskTestKit
import Logging
import LoginValues
import MPinClient
import Testing
@testable import KioskRuntime

/// A card of the operator's, between fakes of all ports.
@Suite("Cards between the ports", .timeLimit(.minutes(1)))
struct CardTests {
    private func rig(_ doors: [(name: String, door: FakeDoor)], errands: [Errand] = [.localLogin]) throws -> KioskRig {
        let hosts = ["access.example.com", "lab.example.com"]
        let trust = TrustPolicy(entries: try hosts.map { try TrustEntry($0) })
        let logins = try zip(doors, hosts).map { place, host in
            let application = RelyingPartyApplication(
                at: try WebAddress("https://\(host)"), transport: FakeTransport(), trust: trust,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            return try #require(LocalLogin(place.name, application: application, door: place.door, trust: trust))
        }
        return try KioskRig(trust: hosts, errands: errands, localLogins: logins)
    }

    @Test func aCardOpensItsDoorAndNoOther() async throws {
        let (main, lab) = (FakeDoor(), FakeDoor())
        let rig = try rig([("Main entrance", main), ("Lab 2/Süd", lab)])
        try await rig.run { rig in
            try await rig.screen.view(at: .scan)
            rig.scanner.show("login-kiosk:door/Lab%202%2FS%C3%BCd")
            try await rig.screen.view { $0.title == Prompt(.doorPINTitle, [.name: "Lab 2/Süd"]) }
            try await rig.typePIN("2580")
            try await rig.outcome(.doorOpened)
        }
        #expect(lab.people == ["alice@example.com"] && main.people.isEmpty)
        #expect(
            rig.steps.calls == [
                "readService https://lab.example.com", "openBackend -", "freshAccessCode https://lab.example.com",
                "startAuthentication alice@example.com", "finishLocalLogin 2580 fresh1",
            ])
        var events: [KioskEvent] = []
        for await event in rig.kiosk.events { events.append(event) }
        #expect(
            events.filter { $0 == .cardTaken(.localLogin) }
                + events.compactMap { if case .errandBegun = $0 { $0 } else { nil } }
                == [
                    .cardTaken(.localLogin),
                    .errandBegun(SessionNumber(1), .localLogin, domain: "lab.example.com"),
                ])
        #expect(rig.log.text.contains("card taken") && !rig.log.text.contains("alice"))
    }

    @Test func aCardOfAnErrandNamesTheService() async throws {
        let rig = try rig([], errands: [.oneTimePassword])
        try await rig.run { rig in
            try await rig.screen.view(at: .scan)
            rig.scanner.show("login-kiosk:one-time-password/lab.example.com")
            try await rig.screen.view(at: .pin)
            rig.keypad.press(.back)
            try await rig.outcome(.errandLeft)
        }
        #expect(rig.steps.calls.first == "readService https://lab.example.com")
    }

    /// Whatever else is before the camera reaches no server.
    @Test(arguments: [
        ("login-kiosk:door/Vault", PromptKey.cardNotOffered), ("login-kiosk:identities", .cardNotOffered),
        ("login-kiosk:one-time-password/evil.example.com", .cardNotOffered),
        ("login-kiosk:door/Main%20entrance?user=alice@example.com", .invalidCode),
        ("login-kiosk:door/Main entrance", .invalidCode),
    ])
    func anythingElseIsARemark(text: String, remark: PromptKey) async throws {
        let door = FakeDoor()
        let rig = try rig([("Main entrance", door)], errands: [.localLogin, .oneTimePassword])
        try await rig.run { rig in
            try await rig.screen.view(at: .scan)
            rig.scanner.show(text)
            try await rig.screen.view { $0.stage == .scan && $0.hint == Prompt(remark) }
        }
        #expect(rig.steps.calls == [] && door.people.isEmpty)
        #expect(!rig.log.text.contains("evil") && !rig.log.text.contains("Vault"))
    }
}
