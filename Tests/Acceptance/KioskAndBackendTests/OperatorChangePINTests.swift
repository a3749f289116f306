// SPDX-License-Identifier: Apache-2.0

import MPinServer
import BackendTestKit
import KioskMachine
import KioskRuntime
import KioskTestKit
import LoginValues
import MPinClient
import Testing

@testable import ReferenceBackend

/// After a failed change of the PIN the operator's command says which PIN works.
@Suite struct OperatorChangePINTests {
    @Test func tellsThatTheOldPINGoesOnWorking() async throws {
        try await withClient(.milagro) { kiosk in
            let user = try await kiosk.register()
            let client = OperatorClient(sdk: kiosk.mpin, trust: kiosk.trust, logger: kiosk.backend.log.logger)
            func failure(to new: String) async -> SessionOutcome? {
                let choice = NewPINChoice(policy: KioskPolicy(), isAttended: false) { _ in try? newPIN(new) }
                do throws(KioskFailure) {
                    let run = CommandRun(client)
                    _ = try await run.open(user.identity, at: nil, rpsPrefix: nil)
                    try await run.changePIN(of: user, askPIN: { try? newPIN("1234") }, newPIN: choice)
                    return nil
                } catch { return error.outcome }
            }
            for same in ["1234", "01234"] { #expect(await failure(to: same) == .samePIN) }
            kiosk.network.loseReply(to: "mpinAuthenticate")
            #expect(await failure(to: "5803") == .pinVerdictLost)
            kiosk.network.restore()
            kiosk.storage.shortage = IdentityStorageError(.full, detail: "no room")
            #expect(await failure(to: "5803") == .pinNotStored)
            kiosk.storage.shortage = nil
            try await kiosk.logIn(user)
            #expect(await failure(to: "5803") == nil)
            try await kiosk.logIn(user, pin: "5803")
        }
    }
}
