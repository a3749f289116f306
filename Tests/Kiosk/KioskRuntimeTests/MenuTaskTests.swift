// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import KioskTestKit
import LoginValues
import Testing
@testable import KioskRuntime

@Suite("Tasks between the ports", .timeLimit(.minutes(10)))
struct MenuTaskTests {
    @Test(arguments: [(KioskTask.oneTimePassword, "OneTimePassword"), (.registrationCode, "RegistrationCode")])
    func aCodeIsShownAndWiped(task: KioskTask, name: String) async throws {
        let rig = try KioskRig(tasks: [task])
        try await rig.run { rig in
            try await rig.play(
                """
                wait scan; key menu 1; wait pin; key 2583 enter; wait issuedCode, entry digits 739164; key enter
                wait scan
                """)
            #expect(await rig.kiosk.file.issuedCode.count == 0)
        }
        #expect(
            rig.steps.calls == [
                "readService https://login.example.com", "openBackend -", "start\(name) alice@example.com",
                "finish\(name) 2583",
            ])
        #expect(!rig.log.text.contains("739164") && !rig.log.text.contains("alice"))
        #expect(!rig.screen.views.contains { "\($0)".contains("739164") })
        let events = await rig.events()
        #expect(events.contains(.taskBegun(SessionNumber(1), task, domain: "login.example.com")))
        #expect(events.contains(.sessionClosed(SessionNumber(1), .codeIssued)))
    }

    @Test func theCodeIsBlankWhenItsTimeIsOver() async throws {
        let rig = try KioskRig(tasks: [.oneTimePassword])
        try await rig.run { rig in
            try await rig.play("wait scan; key menu 1; wait pin; key 2583 enter")
            // Each wait ends when the rest of the 45 seconds is shown.
            for left in [45, 35, 25, 15] + (1...10).reversed() {
                try await rig.play("wait issuedCode, entry digits 739164, line codeTimeLeft(\(left))")
                try await rig.play("time \(left > 20 ? 10 : left > 10 ? left - 10 : 1)")
            }
            try await rig.play("wait scan, hint oneTimePasswordExpired")
            #expect(await rig.kiosk.file.issuedCode.count == 0)
        }
    }

    @Test func anIdentityIsDeletedWithItsPIN() async throws {
        let rig = try KioskRig(tasks: [.identities])
        try await rig.run(
            """
            wait scan; key menu 1; wait identityDetails; key 22; wait pin
            key 2583 enter; wait outcome, title identityDeleted
            """)
        #expect(
            rig.steps.calls.suffix(3) == [
                "startConfirming alice@example.com", "finishConfirming 2583", "deleteForGood alice@example.com",
            ])
        #expect(await rig.events().contains(.identityDeleted))
        #expect(!rig.log.text.contains("alice"))
    }

    @Test(arguments: [false, true]) func theBrowserIsLoggedOutAfterItsLogin(hangs: Bool) async throws {
        let rig = try KioskRig()
        rig.steps.offerLogout()
        rig.steps.silence("logout", hangs)
        try await rig.run { rig in
            try await rig.play(
                """
                qr login; wait consent; key enter; wait pin; key 2583 enter; wait outcome, title success; key 1
                called logout
                """)
            try await rig.play(
                hangs
                    ? "wait loggingOut; time 15; wait outcome, title logoutFailed" : "wait outcome, title loggedOut")
        }
        #expect(rig.steps.calls.last == "logout alice@example.com")
    }

    @Test func servicesKeepTheirNumbers() async throws {
        let rig = try KioskRig(trust: ["a.example.com", "login.example.com"], tasks: [.oneTimePassword])
        try await rig.run("wait scan; key menu 1; wait serviceChoice; key 2 enter; wait pin")
        #expect(rig.steps.calls.first == "readService https://login.example.com")
    }

    /// The code of another device, and that of a mail.
    @Test(arguments: [
        (KioskTask.registerWithCode, "739164", ["startRegistration dave@example.com 739164"]),
        (
            .verification, "42c0de",
            [
                "startVerification dave@example.com", "finishVerification dave@example.com 42c0de",
                "startRegistration dave@example.com t0ken",
            ]
        ),
    ])
    func aCodeRegisters(task: KioskTask, code: String, calls: [String]) async throws {
        let rig = try KioskRig(session: BackendSession(), tasks: [task])
        try await rig.run { rig in
            try await rig.play(
                """
                wait scan; key menu 1; wait identityEntry; type dave@example.com
                key enter; wait activationEntry; type \(code)
                wait activationEntry, entry code \(code); key enter; wait newPIN
                key 2583 enter; wait newPINAgain; key 2583 enter; wait outcome, title registrationDone(3)
                """)
            #expect(await rig.kiosk.file.typedCode.count == 0)
        }
        #expect(
            Array(rig.steps.calls.dropFirst(2))
                == calls + ["confirmRegistration dave@example.com", "finishRegistration 2583"])
        for secret in [code, "t0ken", "dave"] { #expect(!rig.log.text.contains(secret)) }
        #expect(!rig.screen.views.contains { "\($0)".contains(code) })
    }

    @Test func theLinkOfAMailBeginsByItself() async throws {
        let rig = try KioskRig(session: BackendSession(), tasks: [.verification])
        try await rig.run { rig in
            try await rig.play(
                """
                wait scan; qr "https://evil.example.com/verify?user_id=dave%40example.com&code=l1nk"
                wait scan, hint invalidCode
                """)
            #expect(rig.steps.calls == [])
            try await rig.play(
                """
                qr "https://login.example.com/verify?user_id=dave%40example.com&code=l1nk"
                wait newPIN; key 2583 enter; wait newPINAgain; key 2583 enter; wait outcome, title registrationDone(3)
                """)
        }
        #expect(rig.steps.calls.contains("finishVerification dave@example.com l1nk"))
        #expect(!rig.steps.calls.contains { $0.hasPrefix("startVerification") })
        #expect(!rig.log.text.contains("l1nk"))
    }

    @Test func aRefusedCodeIsWipedAndTypedAnew() async throws {
        let rig = try KioskRig(session: BackendSession(), tasks: [.registerWithCode])
        rig.steps.fail("startRegistration", .notAuthorized)
        try await rig.run { rig in
            // A code in front of the camera works too, and is shown before it is sent.
            try await rig.play(
                """
                wait scan; key menu 1; wait identityEntry; type dave@example.com
                key enter; wait activationEntry; qr "111111"; wait activationEntry, entry code 111111
                key enter; wait activationEntry, hint activationRefused
                """)
            #expect(await rig.kiosk.file.typedCode.count == 0)
        }
    }
}
