// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import KioskTestKit
import LoginValues
import Testing
@testable import KioskRuntime

@Suite("The person sees the host where the PIN takes effect", .timeLimit(.minutes(10)))
struct ConsentPlaceTests {
    /// A line of the list may have many hosts: the view names the right one.
    @Test(arguments: [nil, "https://backend.example.com"]) func theHostIsNamedNotTheLine(_ backend: String?)
        async throws
    {
        let rig = try KioskRig(trust: ["*.example.com"])
        rig.steps.lead(to: try backend.map { try WebAddress($0) })
        try await rig.run { rig in
            try await rig.play("qr login; wait consent")
            let lines = try #require(rig.screen.views.last).lines
            #expect(
                lines.filter { $0.key == .consentDomain || $0.key == .consentOnBehalf }
                    == (backend == nil
                        ? [Prompt(.consentDomain, [.domain: "login.example.com"])]
                        : [
                            Prompt(.consentDomain, [.domain: "backend.example.com"]),
                            Prompt(.consentOnBehalf, [.domain: "login.example.com"]),
                        ]))
        }
    }

    @Test func aRunAsksWithBoth() async throws {
        let steps = FakeStepRunner()
        steps.lead(to: try WebAddress("https://backend.example.com:8443"))
        let trust = TrustPolicy(lines: [try TrustLine("login.example.com -> backend.example.com:8443")])
        await #expect(throws: KioskFailure(.declined)) {
            try await RunTests.run(steps, trust).logIn(
                symbol: SecretBytes(copying: Array(KioskRig.code.utf8)), userID: "alice@example.com"
            ) { question in
                #expect(question.place == "domain backend.example.com:8443, on behalf of login.example.com")
                return nil
            }
        }
    }

    /// A listed service on this machine, by http.
    @Test func aTrialIsToldTheFlag() async throws {
        let rig = try KioskRig(trust: ["127.0.0.1:8480"])
        try await rig.run(
            """
            wait scan; qr "http://127.0.0.1:8480#c0de1"; hint loopbackCode; qr "http://127.0.0.1:8481#c0de2"
            hint untrustedCode
            """)
        #expect(rig.steps.calls.isEmpty)
    }

    /// The code of a mail is sent only to the service of its link.
    @Test(arguments: [
        ("login.example.com", true), ("mail.example.com", true), ("other.example.com", false),
    ]) func theLinkOfAnotherServiceIsNotTaken(_ host: String, isTaken: Bool) async throws {
        let rig = try KioskRig(
            trust: ["login.example.com -> mail.example.com", "mail.example.com", "other.example.com"],
            tasks: [.verification])
        try await rig.run { rig in
            try await rig.play(
                """
                wait scan; qr "login-kiosk:verification/login.example.com"; wait identityEntry; type dave@example.com
                key enter; wait activationEntry
                """)
            rig.scanner.show("https://\(host)/confirm?user_id=dave@example.com&code=abc")
            guard !isTaken else { return try await rig.steps.waitForCall("finishVerification") }
            try await rig.screen.view { $0.hint == Prompt(.activationUnreadable) }
        }
        #expect(rig.steps.calls.contains { $0.hasPrefix("finishVerification") } == isTaken)
    }
}
