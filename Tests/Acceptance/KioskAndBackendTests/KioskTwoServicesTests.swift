// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import KioskMachine
import KioskPorts
import KioskTestKit
import LoginValues
import MPinClient
import Testing

@testable import MPinServer
@testable import ReferenceBackend

/// Two or three services on one trust list, one of which names another's backend as its own, at a whole kiosk.
@Suite(.timeLimit(.minutes(10))) struct KioskTwoServicesTests {
    private static let alice = "alice@example.com"

    /// The person scans a code of the lying service, and the attacker's browser waits at the honest one.
    @Test(arguments: [Dialect.mfaV2, .milagro])
    func aCodeDoesNotLogABrowserInElsewhere(_ dialect: Dialect) async throws {
        try await Self.withLiar(dialect) { client, liar in
            _ = try await client.register()
            let browser = try await client.session()
            try await KioskPerson.unhurried(client).run { person in
                try await person.screen.view(at: .scan)
                person.scanner.show(browser.qrText(shownBy: liar, below: "/menu"))
                // Polling like a browser's page would show the forbidden login.
                async let user = browser.firstUser(at: client.backend) { person.screen.views.last?.stage == .outcome }
                let end = try await person.agree()
                #expect(end.title == Prompt(.backendOfAnotherService))
                #expect(try await user == nil)
                #expect(person.screen.views.allSatisfy { $0.stage != .consent && $0.stage != .pin })
            }
        }
    }

    @Test func aTypedCodeDoesNot() async throws {
        try await Self.withLiar(.milagro) { client, _ in
            _ = try await client.register()
            let page = Browser(client.backend)
            let number = try #require((try await page.get("/")).typedCode)
            try await KioskPerson.unhurried(client).run { person in
                try await person.screen.view(at: .scan)
                person.keypad.press(.digit(0))
                try await person.chooseSecondService()
                try await person.type(number, at: .codeEntry)
                try await person.outcome(.backendOfAnotherService)
            }
            #expect(try await page.session() == ["new", ""])
        }
    }

    @Test(arguments: [
        KioskTask.oneTimePassword, .registrationCode, .identities, .registerWithCode, .verification, .signing,
    ])
    func aTaskIsNotDoneElsewhere(_ task: KioskTask) async throws {
        try await Self.withLiar(.mfaV2) { client, liar in
            _ = try await client.register()
            let before = client.network.paths.count
            try await KioskPerson.unhurried(client).run { person in
                try await person.begin(task)
                try await person.chooseSecondService()
                try await person.outcome(.backendOfAnotherService)
                // A card names the service itself.
                person.scanner.show("login-kiosk:\(task.name)/\(liar.place)")
                try await person.outcome(.backendOfAnotherService)
                #expect(person.screen.views.allSatisfy { !$0.stage.asksForPIN })
            }
            #expect(client.network.paths.dropFirst(before) == ["/service", "/service"])
        }
    }

    /// A mail's link to the lying service begins a verification there, and its code is sent nowhere.
    @Test func aLinkIsNotHandedInElsewhere() async throws {
        try await Self.withLiar(.mfaV2) { client, liar in
            try await KioskPerson.unhurried(client).run { person in
                try await person.screen.view(at: .scan)
                person.scanner.show("http://\(liar.place)/confirm?user_id=\(Self.alice)&code=abc")
                try await person.outcome(.backendOfAnotherService)
            }
            #expect(!client.network.paths.contains { $0.contains("verification") })
        }
    }

    /// A door whose application belongs to the lying service.
    @Test func aDoorIsNotOpenedByALoginElsewhere() async throws {
        try await Self.withLiar(.mfaV2) { client, liar in
            _ = try await client.register()
            let door = FakeDoor()
            let kiosk = try KioskPerson(
                client, doors: [("Front door", door)], at: "http://\(liar.place)",
                clock: ManualClock())
            try await kiosk.run { person in
                try await person.begin(.localLogin)
                try await person.outcome(.backendOfAnotherService)
            }
            #expect(door.people.isEmpty)
        }
    }

    /// The operator allows one service to use the other. The person sees both, and logs in at the honest one.
    @Test(arguments: [Dialect.mfaV2, .milagro])
    func withADelegationBothAreNamed(_ dialect: Dialect) async throws {
        try await Self.withLiar(dialect, { liar, honest in ["\(liar) -> \(honest)"] }) { client, liar in
            _ = try await client.register()
            let browser = try await client.session()
            try await KioskPerson.unhurried(client).run { person in
                try await person.screen.view(at: .scan)
                person.scanner.show(browser.qrText(shownBy: liar))
                async let user = browser.firstUser(at: client.backend) { false }
                let end = try await person.agree()
                #expect(end.title == Prompt(.success))
                #expect(try await user == Self.alice)
                for stage in [KioskStage.consent, .pin] {
                    let lines = try #require(person.screen.views.first { $0.stage == stage }).lines
                    #expect(lines.contains(Prompt(.consentDomain, [.domain: client.backend.place])), "\(stage)")
                    #expect(lines.contains(Prompt(.consentOnBehalf, [.domain: liar.place])), "\(stage)")
                }
            }
        }
    }

    /// With three services a delegation allows neither a third one nor the way back.
    @Test func aDelegationHasOneDirectionAndOneStep() async throws {
        let lines = { @Sendable (liar: String, honest: String) in
            ["\(liar) -> localhost:1", "localhost:1 -> \(honest)", "\(honest) -> \(liar)"]
        }
        try await Self.withLiar(.mfaV2, lines) { client, liar in
            _ = try await client.register()
            let browser = try await client.session()
            try await KioskPerson.unhurried(client).run { person in
                try await person.screen.view(at: .scan)
                person.scanner.show(browser.qrText(shownBy: liar))
                #expect(try await person.agree().title == Prompt(.backendOfAnotherService))
            }
            #expect(try await browser.user(at: client.backend) == nil)
        }
    }

    /// Runs two backends. The second one presents the first one's addresses as its own.
    ///
    /// - Parameter lines: further lines of the trust list, by the places of the lying and the honest service.
    private static func withLiar(
        _ dialect: Dialect,
        _ lines: @escaping @Sendable (_ liar: String, _ honest: String) -> [String] = { liar, _ in [liar] },
        _ body: @escaping @Sendable (_ client: OwnClient, _ liar: RunningBackend) async throws -> Void
    ) async throws {
        try await withClient(dialect) { honest in
            let options = OwnClient.options(dialect) + ["--public-url", honest.backend.addresses.publicURL]
            try await withBackend(options: options) { liar in
                let client = try await OwnClient(
                    honest.backend, dialect, honest.network, [], trusting: lines(liar.place, honest.backend.place))
                try await body(client, liar)
            }
        }
    }
}

extension RunningBackend {
    /// Its address in the trust list.
    fileprivate var place: String { "127.0.0.1:\(addresses.publicPort)" }
}

extension KioskPerson {
    fileprivate func chooseSecondService() async throws {
        try await screen.view(at: .serviceChoice)
        keypad.press(.digit(2), .enter)
    }
}

extension WaitingBrowser {
    /// The text of its picture, if another service showed it.
    fileprivate func qrText(shownBy other: RunningBackend, below path: String = "") -> String {
        "http://\(other.place)\(path)#\(code.text)"
    }

    /// Polls until somebody is logged in, or `isOver`.
    fileprivate func firstUser(at backend: RunningBackend, until isOver: @Sendable () -> Bool) async throws -> String? {
        while true {
            let wasOver = isOver()
            if let page {
                let state = try await page.session()
                if state[0] == "authenticated" { return state[1] }
            } else if let user = try await user(at: backend) {
                return user
            }
            if wasOver { return nil }
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}
