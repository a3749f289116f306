// SPDX-License-Identifier: Apache-2.0

import BackendValues
import BackendTestKit
import Encoding
import KioskMachine
import KioskRuntime
import KioskTestKit
import LoginValues
import MPinClient
import MPinServer
import Testing

@testable import ReferenceBackend

/// The operator's commands that sign.
@Suite(.timeLimit(.minutes(10))) struct OperatorSigningTests {
    private static func run(_ kiosk: OwnClient) -> CommandRun {
        let logger = kiosk.backend.log.logger
        return CommandRun(OperatorClient(sdk: kiosk.mpin, trust: kiosk.trust, logger: logger)) { service in
            RelyingPartyApplication(at: service, transport: kiosk.network, trust: kiosk.trust, logger: logger)
        }
    }

    private static func sign(
        _ kiosk: OwnClient, for application: WebAddress?, whenAsked: @Sendable () -> Void = {}
    ) async throws(KioskFailure) -> DVSSignature {
        let run = run(kiosk)
        let signer = try run.signer(try await run.open("alice@example.com", at: nil, rpsPrefix: nil))
        guard let document = try? KioskSigningTests.template().text else { throw KioskFailure(.failed) }
        let hash = try await run.prepare(document, for: application)
        return try await run.sign(hash, as: signer) {
            whenAsked()
            return try? newPIN("1234")
        }
    }

    @Test func endsWithTheVerdictOfTheService() async throws {
        try await withClient(.trust2025) { kiosk in
            let user = try await kiosk.register()
            let service = try WebAddress(kiosk.backend.addresses.publicURL)
            kiosk.network.loseReply(to: "VerifySignature")
            let lost = await #expect(throws: KioskFailure.self) { try await Self.sign(kiosk, for: service) }
            #expect(lost?.outcome == .outcomeUnknown && lost?.outcome.exitCode == 85)
            kiosk.network.restore()
            kiosk.network.before("VerifySignature") { try await kiosk.block(user.identity) }
            let blocked = await #expect(throws: KioskFailure.self) { try await Self.sign(kiosk, for: service) }
            #expect(blocked?.outcome == .blocked && blocked?.outcome.exitCode == 81)
        }
    }

    @Test func takesTheTimeAfterThePIN() async throws {
        try await withClient(.trust2025) { kiosk in
            _ = try await kiosk.register()
            let signature = try await Self.sign(kiosk, for: nil) { kiosk.backend.clock.advance(by: .seconds(60)) }
            #expect(Int64(signature.timestamp) == kiosk.backend.clock.now.seconds)
        }
    }

    @Test(arguments: [Dialect.trust2023, .trust2025])
    func refusesAnUnfinishedRegistration(_ dialect: Dialect) async throws {
        try await withClient(dialect) { kiosk in
            let session = try await kiosk.session([
                "hash": .string(KioskSigningTests.hash), "description": "A debt of ten pounds",
            ])
            let symbol = SecretBytes(copying: Array(session.qrText(at: kiosk.backend).utf8))
            func expect(_ outcome: SessionOutcome, _ line: Comment) async {
                let error = await #expect(throws: KioskFailure.self) {
                    _ = try await Self.run(kiosk).signingSession(symbol, for: "alice@example.com")
                }
                #expect(error?.outcome == outcome, line)
            }
            await expect(.unknownUser, "nobody")
            let new = await kiosk.mpin.makeNewUser("alice@example.com")
            let token = try await kiosk.verified(new)
            await expect(.unfinished, "verification")
            let begun = try await kiosk.mpin.startRegistration(of: new, activateCode: token)
            await expect(.unfinished, "registration")
            _ = try await kiosk.mpin.confirmRegistration(of: begun)
            await expect(.unfinished, "activated")
        }
    }

    @Test func losesTheLoginForAKey() async throws {
        try await withClient(.mfaV2) { kiosk in
            let run = Self.run(kiosk)
            let user = try await kiosk.register()
            let signer = try run.signer(try await run.open(user.identity, at: nil, rpsPrefix: nil))
            let choice = NewPINChoice(policy: KioskPolicy(), isAttended: false) { _ in try? newPIN("5678") }
            kiosk.network.loseReply(to: "/authenticate")
            let lost = await #expect(throws: KioskFailure.self) {
                try await run.enableSigning(signer, askPIN: { try? newPIN("1234") }, newPIN: choice)
            }
            #expect(lost?.outcome == .outcomeUnknown)
        }
    }
}
