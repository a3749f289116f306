// SPDX-License-Identifier: Apache-2.0

import KioskMachine
public import KioskPorts
import LoginValues

/// The machine's views, on the way through a registration and a login.
public enum SampleViews {
    static let one = SessionNumber(1)
    static let alice = KioskIdentity(
        userID: "alice@example.com", backend: "b", number: 1, progress: .startedRegistration)

    public static let all: [(name: String, view: KioskView)] = {
        var views: [(String, KioskView)] = []
        var machine = KioskMachine(trustsAnything: true)
        func take(_ name: String) { views.append((name, machine.view)) }
        views.append(("first run", KioskMachine(trustsAnything: false).view))
        take("scan")
        var listening = KioskMachine(
            trustsAnything: true, services: ["Example Shop"], tasks: [.oneTimePassword],
            policy: KioskPolicy(offersSpeech: true, offersLook: true))
        views.append(("scan with speech offered", listening.view))
        _ = listening.keyPressed(.digit(5))
        views.append(("scan with speech", listening.view))
        let digest = CodeDigest(SecretBytes(copying: [1]))
        _ = machine.symbolSeen(
            CodeReading(digest: CodeDigest(SecretBytes(copying: [2])), decision: .refused(.notALogin(.noAccessCode))))
        take("invalid code")
        _ = machine.symbolSeen(CodeReading(digest: digest, decision: .login(domain: "login.example.com")))
        take("connecting")
        _ = machine.stepEnded(.success(.serviceFound(DisplayText("Example Shop"))), session: one)
        take("connecting to")
        let details = BackendSession(
            application: DisplayText("Orders"), customer: DisplayText("ACME Ltd"), namedUser: "alice@example.com",
            isUserVerified: true,
            identities: [])
        var elsewhere = machine
        _ = elsewhere.stepEnded(
            .success(
                .backendOpened(
                    BackendSession(
                        application: details.application, customer: details.customer, namedUser: details.namedUser,
                        isBrowserElsewhere: true, identities: []))), session: one)
        views.append(("consent to a browser elsewhere", elsewhere.view))
        _ = machine.stepEnded(.success(.backendOpened(details)), session: one)
        take("consent")
        _ = machine.keyPressed(.enter)
        take("e-mail")
        _ = machine.keyPressed(.enter)
        _ = machine.timerFired(.wait, session: one)
        take("registering")
        _ = machine.stepEnded(.success(.registrationStarted(alice)), session: one)
        take("confirm e-mail")
        _ = machine.keyPressed(.enter)
        _ = machine.timerFired(.wait, session: one)
        take("checking")
        _ = machine.stepEnded(.success(.registrationConfirmed), session: one)
        take("new PIN")
        for _ in 0..<4 { _ = machine.keyPressed(.pinDigit) }
        take("new PIN typed")
        _ = machine.keyPressed(.enter)
        _ = machine.newPINChecked(.good)
        take("new PIN again")
        for _ in 0..<4 { _ = machine.keyPressed(.pinDigit) }
        _ = machine.keyPressed(.enter)
        _ = machine.newPINsCompared(areEqual: true)
        _ = machine.timerFired(.wait, session: one)
        take("saving")
        _ = machine.stepEnded(.success(.registrationFinished(alice)), session: one)
        take("preparing")
        _ = machine.stepEnded(.success(.authenticationStarted), session: one)
        for _ in 0..<3 { _ = machine.keyPressed(.pinDigit) }
        take("PIN")
        _ = machine.keyPressed(.pinDigit)
        _ = machine.keyPressed(.enter)
        _ = machine.timerFired(.wait, session: one)
        take("logging in")
        _ = machine.stepEnded(.failure(KioskFailure(.wrongPIN, status: "INCORRECT_PIN")), session: one)
        take("wrong PIN")
        _ = machine.timerFired(.wrongPIN, session: one)
        for _ in 0..<4 { _ = machine.keyPressed(.pinDigit) }
        _ = machine.keyPressed(.enter)
        var (expired, warned) = (machine, machine)
        _ = machine.stepEnded(.success(.authenticated()), session: one)
        take("success")
        let wrongPINs = EarlierWrongPINs(count: 12, day: .earlier, time: "2026-11-26 18:02")
        _ = warned.stepEnded(.success(.authenticated(canLogout: true, wrongPINs: wrongPINs)), session: one)
        views.append(("success after wrong PINs", warned.view))
        _ = expired.stepEnded(.failure(KioskFailure(.sessionExpired, status: "INCORRECT_ACCESS_NUMBER")), session: one)
        views.append(("session expired", expired.view))
        _ = machine.stop()
        take("stopped")
        return views + tasks + cards + wholeKiosk
    }()

    /// A person who came with a personal card leaves with another one.
    private static let cards: [(name: String, view: KioskView)] = {
        var machine = KioskMachine(
            trustsAnything: true, services: ["login.example.com"], tasks: [.identities], offersCards: true)
        _ = machine.symbolSeen(
            CodeReading(
                digest: CodeDigest(SecretBytes(copying: [3])), decision: .refused(.notALogin(.noAccessCode)),
                personalCard: .success(
                    CardHolder(userID: "alice@example.com", domain: "login.example.com", ends: "2027-11-26 18:02"))))
        var views = [("personal card", machine.view)]
        _ = machine.keyPressed(.menu)
        _ = machine.keyPressed(.digit(1))
        _ = machine.stepEnded(.success(.serviceFound(DisplayText("Example Shop"))), session: one)
        var registered = alice
        registered.progress = .registered
        _ = machine.stepEnded(.success(.backendOpened(BackendSession(identities: [registered]))), session: one)
        _ = machine.keyPressed(.digit(1))
        _ = machine.stepEnded(.success(.authenticationStarted), session: one)
        for _ in 0..<4 { _ = machine.keyPressed(.pinDigit) }
        _ = machine.keyPressed(.enter)
        _ = machine.stepEnded(.success(.taskDone), session: one)
        _ = machine.stepEnded(.success(.cardWritten(ends: "2027-11-26 18:02")), session: one)
        var view = machine.view
        view.entry = .card(SecretBytes(copying: Array("LOGIN-KIOSK-CARD:2:ABC".utf8)))
        views.append(("another card", view))
        return views
    }()

    /// A kiosk without an operator, and one that deletes everything.
    private static let wholeKiosk: [(name: String, view: KioskView)] = {
        var machine = KioskMachine(trustsAnything: false, ownNumber: "4711 0815")
        var views = [("set up", machine.view)]
        for refusal in ProfileRefusal.allCases {
            _ = machine.profileFound(.failure(refusal), .nothing)
            views.append(("profile: \(refusal.rawValue)", machine.view))
        }
        machine.screenMeasured(documentRoom: nil, leavesFactsOut: false)
        _ = machine.profileFound(
            .success(
                ProfileOffer(
                    operatorName: "Example Ltd", operatorKey: "1234 5678", language: "Deutsch",
                    services: ["login.example.com"], bringsFleetKey: true)), .nothing)
        for page in 1...5 {
            views.append(("setup, page \(page)", machine.view))
            _ = machine.keyPressed(.enter)
        }
        views.append(("setting up", machine.view))
        _ = machine.profileEnded(.success(.adopted))
        views.append(("set up", machine.view))
        let keys: [KnownKey] = [.clear, .digit(7), .menu]
        machine = KioskMachine(trustsAnything: true, resetKeys: keys)
        _ = machine.start()
        for key in keys { _ = machine.keyPressed(key) }
        views.append(("reset", machine.view))
        _ = machine.keyPressed(.enter)
        views.append(("reset, again", machine.view))
        for key in keys { _ = machine.keyPressed(key) }
        views.append(("resetting", machine.view))
        _ = machine.resetEnded(isDone: true)
        return views + [("reset is done", machine.view)]
    }()

    /// The views on the way through the menu.
    private static let tasks: [(name: String, view: KioskView)] = {
        var views: [(String, KioskView)] = []
        func opened(_ task: KioskTask) -> KioskMachine {
            var machine = KioskMachine(
                trustsAnything: true, services: ["login.example.com"], tasks: KioskTask.allCases,
                policy: KioskPolicy(offersLook: true))
            if views.isEmpty { views.append(("scan with a menu", machine.view)) }
            _ = machine.keyPressed(.menu)
            if views.count == 1 { views.append(("menu", machine.view)) }
            for _ in KioskTask.allCases {
                let entry = machine.view.actions.first { $0.label.key == task.title }
                if case .digit(let digit)? = entry?.key {
                    _ = machine.keyPressed(.digit(digit))
                    break
                }
                // The entry is on another page.
                _ = machine.keyPressed(.menu)
            }
            _ = machine.stepEnded(.success(.serviceFound(DisplayText("Example Shop"))), session: one)
            var alice = alice
            alice.progress = .registered
            _ = machine.stepEnded(.success(.backendOpened(BackendSession(identities: [alice]))), session: one)
            return machine
        }
        for task in [KioskTask.oneTimePassword, .registrationCode] {
            var machine = opened(task)
            _ = machine.stepEnded(.success(.authenticationStarted), session: one)
            views.append(("PIN for \(task)", machine.view))
            for _ in 0..<4 { _ = machine.keyPressed(.pinDigit) }
            _ = machine.keyPressed(.enter)
            _ = machine.stepEnded(.success(.codeIssued(lifetime: .seconds(60))), session: one)
            var view = machine.view
            view.entry = .digits(SecretBytes(copying: Array("739164".utf8)))
            views.append(("\(task)", view))
        }
        var identity = opened(.identities)
        _ = identity.keyPressed(.digit(2))
        views.append(("identity to be deleted", identity.view))
        for task in [KioskTask.registerWithCode, .verification] {
            var machine = opened(task)
            for character in "bob@example.com" { _ = machine.keyPressed(.character(character)) }
            _ = machine.keyPressed(.enter)
            _ = machine.stepEnded(.success(.verificationStarted(.codeOrLink)), session: one)
            views.append(("code for \(task)", machine.view))
        }
        for mail in [MailContent.code, .link] {
            var machine = opened(.verification)
            for character in "bob@example.com" { _ = machine.keyPressed(.character(character)) }
            _ = machine.keyPressed(.enter)
            _ = machine.stepEnded(.success(.verificationStarted(mail)), session: one)
            views.append(("mail with a \(mail)", machine.view))
        }
        return views
    }()

    public static func view(_ name: String) -> KioskView {
        all.first { $0.name == name }?.view ?? KioskView(.stopped, .trouble, title: Prompt(.stopped))
    }
}
