// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import KioskTestKit
import LoginValues
import MPinClient
import Testing

@testable import MPinServer
@testable import ReferenceBackend

/// The SDK's client registers at this backend in every dialect.
@Suite struct RegistrationFlowTests {
    @Test(arguments: DialectFlow.dialects) func registersByMail(_ dialect: Dialect) async throws {
        try await withClient(dialect) { kiosk in
            guard DialectFlow.registrationByMail.isThere(in: dialect) else {
                let new = await kiosk.mpin.makeNewUser("alice@example.com")
                await kiosk.expectAbsent { _ = try await kiosk.mpin.startRegistration(of: new) }
                return
            }
            let user = try await kiosk.register("alice@example.com", try await kiosk.session().code)
            #expect(user.state == .registered && user.dialect?.rawValue == dialect.rawValue)
            try await kiosk.expectUnchanged(user)
        }
    }

    @Test(arguments: DialectFlow.dialects) func registersByCode(_ dialect: Dialect) async throws {
        try await withClient(dialect) { kiosk in
            let new = await kiosk.mpin.makeNewUser("alice@example.com", deviceName: "front door")
            guard DialectFlow.registrationByCode.isThere(in: dialect) else {
                // The classic server has no codes, so the mail must be followed all the same.
                let user = try await kiosk.mpin.startRegistration(
                    of: new, activateCode: SecretBytes(copying: Array("000000".utf8)),
                    accessCode: try await kiosk.session().code)
                #expect(user.state == .startedRegistration)
                return
            }
            for wrong in ["00112233445566778899aabbccddeeff", "000000"] {
                let error = await #expect(throws: MPinError.self) {
                    try await kiosk.mpin.startRegistration(
                        of: new, activateCode: SecretBytes(copying: Array(wrong.utf8)))
                }
                // The client tells the kinds of codes apart by length, because the server has one error for both.
                #expect(error?.status == (wrong.count > 10 ? .identityNotVerified : .identityNotAuthorized))
            }
            let token = try await kiosk.verified(new)
            let user = try await kiosk.register(new, code: token)
            #expect(user.state == .registered && user.verificationType == .email && user.pinLength == 4)
            #expect(user.canSign == dialect.isTrust)
            try await kiosk.expectUnchanged(user)
            let other = await kiosk.mpin.makeNewUser("bob@example.com")
            let used = await #expect(throws: MPinError.self) {
                try await kiosk.mpin.startRegistration(of: other, activateCode: token)
            }
            #expect([.identityNotVerified, .identityNotAuthorized].contains(used?.status))
        }
    }

    @Test(arguments: DialectFlow.dialects) func verifies(_ dialect: Dialect) async throws {
        try await withClient(dialect) { kiosk in
            let new = await kiosk.mpin.makeNewUser("alice@example.com", deviceName: "front door")
            guard DialectFlow.verification.isThere(in: dialect) else {
                await kiosk.expectAbsent { _ = try await kiosk.mpin.startVerification(of: new) }
                return
            }
            let code = try await kiosk.session().code
            let start = try await kiosk.mpin.startVerification(of: new, accessCode: code)
            // Further data of older platforms are not read.
            #expect((start.backoff != nil) == dialect.isTrust)
            #expect(try await kiosk.mpin.user(new.key)?.state == .startedVerification)
            let soon = await #expect(throws: MPinError.self) { try await kiosk.mpin.startVerification(of: new) }
            #expect(soon?.status == .verificationFailed && soon?.refusal?.code == "REQUEST_BACKOFF")
            let wrong = await #expect(throws: MPinError.self) {
                try await kiosk.mpin.finishVerification(of: new, code: SecretBytes(copying: Array("123456".utf8)))
            }
            #expect(wrong?.status == .verificationFailed && wrong?.refusal?.code == "UNSUCCESSFUL_VERIFICATION")
            let result = try await kiosk.mpin.finishVerification(of: new, code: try await kiosk.newestCode())
            #expect(result.accessCode == code && result.projectID == kiosk.companyID)
        }
    }

    /// A person who has not followed the mail yet, and one who follows it too late.
    @Test(arguments: DialectFlow.dialects) func waitsForConfirmation(_ dialect: Dialect) async throws {
        try await withClient(dialect) { kiosk in
            let new = await kiosk.mpin.makeNewUser("alice@example.com", deviceName: "front door")
            if dialect.isTrust {
                _ = try await kiosk.mpin.startVerification(of: new)
                let code = try await kiosk.newestCode()
                kiosk.backend.clock.advance(by: .seconds(3601))
                let late = await #expect(throws: MPinError.self) {
                    try await kiosk.mpin.finishVerification(of: new, code: code)
                }
                #expect(late?.status == .verificationFailed)
                let token = try await kiosk.verified(new)
                kiosk.backend.clock.advance(by: .seconds(3601))
                let later = await #expect(throws: MPinError.self) {
                    try await kiosk.mpin.startRegistration(of: new, activateCode: token)
                }
                #expect(later?.status == .identityNotVerified)
            } else {
                var user = try await kiosk.mpin.startRegistration(
                    of: new, accessCode: try await kiosk.session().code)
                let early = await #expect(throws: MPinError.self) {
                    try await kiosk.mpin.confirmRegistration(of: user)
                }
                #expect(early?.status == .identityNotVerified && early?.kind == .notVerified)
                kiosk.backend.clock.advance(by: .seconds(3601))
                let late = await #expect(throws: MPinError.self) {
                    try await kiosk.mpin.confirmRegistration(of: user)
                }
                #expect(late?.status == .identityNotVerified && late?.kind == .registrationGone)
                #expect(try await kiosk.stored(user)?.state == .startedRegistration)
                if dialect == .mfaV1 || dialect == .mfaV2 {
                    // Its session has expired as well, so it continues in another.
                    let over = await #expect(throws: MPinError.self) {
                        try await kiosk.mpin.restartRegistration(of: user)
                    }
                    #expect(over?.kind == .clientRefused)
                    #expect(try await kiosk.stored(user)?.state == .startedRegistration)
                    user = try await kiosk.mpin.restartRegistration(
                        of: user, accessCode: try await kiosk.session().code)
                } else {
                    user = try await kiosk.mpin.restartRegistration(of: user)
                }
                try await kiosk.backend.confirmNewestMail()
                user = try await kiosk.mpin.confirmRegistration(of: user)
                user = try await kiosk.mpin.finishRegistration(of: user, pin: try newPIN("1234"))
                try await kiosk.expectUnchanged(user)
            }
        }
    }

    @Test(arguments: DialectFlow.dialects) func isDeletedAndRegistersAgain(_ dialect: Dialect) async throws {
        try await withClient(dialect) { kiosk in
            let user = try await kiosk.register()
            try await kiosk.mpin.deleteUser(user)
            #expect(try await kiosk.mpin.users().isEmpty)
            #expect(try await kiosk.storage.identities().isEmpty)
            kiosk.backend.clock.advance(by: .seconds(11))
            let again = try await kiosk.register()
            #expect(again.mpinID != user.mpinID)
            try await kiosk.expectUnchanged(again)
        }
    }
}
