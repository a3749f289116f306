// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import KioskMachine
import KioskPorts
import KioskTestKit
import LoginValues
import MPinClient
import Patience
import Testing

@testable import MPinServer
@testable import ReferenceBackend

/// A person registers at a whole kiosk with another device's registration code. Right before each request the code
/// expires, or that device's identity is revoked or blocked. The tests check the screen, and that no identity is half
/// registered.
@Suite(.timeLimit(.minutes(10))) struct KioskRegistrationTroubleTests {
    enum Trouble: CaseIterable { case revoked, blocked, late }

    /// The requests of the registration, each as a part of the path.
    static let requests: [(Dialect, [String])] = [
        (.mfaV2, ["rps/v2/user", "signature", "clientSecret"]),
        (.trust2025, ["registration", "dta/1/", "dta/2/"]),
    ]

    @Test(arguments: requests) func isToldAtEveryStep(_ dialect: Dialect, _ requests: [String]) async throws {
        try await withClient(dialect) { client in
            let other = try await client.anotherDevice()
            try await KioskPerson.unhurried(client).run { person in
                for request in requests {
                    for trouble in Trouble.allCases {
                        let issuer = try await other.registerAnew()
                        let code = try await other.code(by: issuer).text
                        try await person.beginRegistration(issuer.identity, code) {
                            client.network.before(request) { try await happen(trouble, to: issuer, client) }
                        }
                        let comment = Comment("\(dialect) \(request) \(trouble)")
                        // The first request uses up the code. The issuers of shares know no identities.
                        let isRegistered = trouble != .late && request != requests[0]
                        try await expect(person, isRegistered ? nil : request == requests[0], comment)
                        #expect(client.network.isSettled, comment)
                        try await expectStore(client, isRegistered, comment)
                    }
                }
            }
        }
    }

    private func happen(_ trouble: Trouble, to issuer: User, _ client: OwnClient) async throws {
        switch trouble {
        case .revoked: try await client.state.revoke(userID: issuer.identity)
        case .blocked: try await client.block(issuer.identity)
        // Longer than the lifetime of a code, a registration or the address of a share.
        case .late: client.backend.clock.advance(by: .seconds(4000))
        }
    }

    /// - Parameter isCode: whether the code must be typed again; nil if the person is registered.
    private func expect(_ person: KioskPerson, _ isCode: Bool?, _ comment: Comment) async throws {
        let view = try await person.agree()
        switch isCode {
        case nil: #expect(view.title.key == .registrationDone, comment)
        case true?:
            // The code may be mistyped, so the person can type it again.
            #expect(view.stage == .activationEntry && view.hint == Prompt(.activationRefused), comment)
            person.keypad.press(.back)
            try await person.screen.view(at: .outcome)
        case false?:
            #expect(view.title.key == .registrationFailed, comment)
            #expect(view.lines == [Prompt(.newCodeNeeded)], comment)
        }
        try await person.leave()
    }

    private func expectStore(_ client: OwnClient, _ isRegistered: Bool, _ comment: Comment) async throws {
        // The kiosk does not wait for the deletion.
        try await Patience.until { try await client.mpin.users().allSatisfy { $0.state == .registered } }
        #expect(try await client.mpin.users().count == (isRegistered ? 1 : 0), comment)
        #expect(try await client.storage.identities().count == (isRegistered ? 1 : 0), comment)
        for user in try await client.mpin.users() { try await client.mpin.deleteUser(user) }
    }
}

extension KioskPerson {
    /// Goes from the idle screen to OK after the code.
    fileprivate func beginRegistration(_ identity: String, _ code: String, _ event: () -> Void) async throws {
        try await begin(.registerWithCode, as: identity)
        try await screen.view(at: .activationEntry)
        event()
        keypad.type(code)
        keypad.press(.enter)
        try await screen.view { $0.stage != .activationEntry || $0.hint != nil }
    }
}
