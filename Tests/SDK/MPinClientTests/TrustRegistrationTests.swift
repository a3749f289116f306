// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinClient
import Testing

/// Registration at today's platform: a key from the beginning, and everything in memory until the PIN is chosen.
@Suite struct TrustRegistrationTests {
    @Test func writesARegistrationInOneRequest() async throws {
        let platform = try ScriptedServer(.trust2025)
        let tag = String(repeating: "0f", count: 16)
        let device = try await Device(platform) { $0.deviceTag = tag }.ready()
        let mpin = device.mpin
        var user = await mpin.makeNewUser("alice@example.com", deviceName: "front door")
        user = try await mpin.startRegistration(
            of: user, activateCode: Device.token, userData: "x", accessCode: accessCode,
            pushIdentifier: "push:1")
        #expect(user.state == .activated && user.pinLength == 4 && user.dialect == .trust2025)
        #expect(user.projectID == "project1" && user.backend == "rps.test" && user.verificationType == .email)
        let request = try #require(device.transport.requests.last)
        let publicKey = try #require(object(request)?["publicKey"] as? String)
        #expect(publicKey.count == 256)
        #expect(request.method == .post && request.url.absoluteText == "https://rps.test/registration")
        #expect(
            request.body.map(text)
                == #"{"userId":"alice@example.com","deviceName":"front door","activationToken":"\#(ScriptedServer.token)","#
                + #""publicKey":"\#(publicKey)","pushToken":"push:1","deviceTag":"\#(tag)"}"#)
        #expect(
            request.headers == [
                HTTPHeader("Content-Type", "application/json"), HTTPHeader("X-MIRACL-CID", "project1"),
                HTTPHeader("X-MIRACL-CLIENT", "login-kiosk/1.2.3"),
            ])
        // Before there is a PIN nothing outlives the client.
        #expect(device.storage.changes == 0)
        #expect(try await mpin.users().map(\.state) == [.activated])

        device.transport.forgetRequests()
        user = try await mpin.confirmRegistration(of: user)
        #expect(device.transport.requests.map(\.url.path) == ["/dta/1/0", "/dta/2/0"])
        #expect(device.transport.requests.allSatisfy { $0.method == .get && $0.body == nil })
        // The shares are known, so a second call makes no request.
        _ = try await mpin.confirmRegistration(of: user)
        #expect(device.transport.requests.count == 2 && device.storage.changes == 0)
        user = try await mpin.finishRegistration(of: user, pin: makePin("1234"))
        #expect(user.state == .registered && user.canSign && user.signingPINLength == nil)
        #expect(user.mpinID.hasPrefix("7b22") && user.hashedMPinID.count == 64)
        #expect(device.storage.changes == 1 && device.transport.requests.count == 2)
        try await device.logIn(user)
    }

    @Test func writesARegistrationOfTheGenerationBefore() async throws {
        let platform = try ScriptedServer(.trust2023)
        let device = try await Device(platform) { $0.pinnedDialects = ["rps.test": .trust2023] }.ready()
        let mpin = device.mpin
        var user = await mpin.makeNewUser("alice@example.com", deviceName: "front door")
        user = try await mpin.startRegistration(
            of: user, activateCode: Device.token, pushIdentifier: "push:1")
        let start = try #require(device.transport.requests.last)
        #expect(start.method == .put && start.url.path == "/rps/v2/user")
        #expect(
            start.body.map(text)
                == #"{"userId":"alice@example.com","deviceName":"front door","activateCode":"\#(ScriptedServer.token)","#
                + #""pushToken":"push:1"}"#)
        device.transport.forgetRequests()
        user = try await mpin.confirmRegistration(of: user)
        let share = try #require(device.transport.requests.first)
        #expect(share.url.path == "/rps/v2/signature/\(user.mpinID)")
        #expect(
            share.url.query?.wholeMatch(of: #/regOTT=ott%2B1%2Fx&publicKey=[0-9a-f]{256}/#) != nil)
        #expect(device.paths.last == "/dta/2/0" && device.storage.changes == 0)
        user = try await mpin.finishRegistration(of: user, pin: makePin("1234"))
        #expect(user.canSign && user.dialect == .trust2023)
        try await device.logIn(user)
    }

    @Test func aPlatformWithoutTheNewRegistrationIsOneOfBefore() async throws {
        for status in [404, 405] {
            let device = try await Device(.trust2023).ready()
            if status == 405 { device.transport.on(.post, "/registration", .status(405)) }
            let user = try await device.activated(await device.mpin.makeNewUser("alice@example.com"))
            #expect(device.paths == ["/registration", "/rps/v2/user"])
            #expect(user.dialect == .trust2023)
            // Now the identity is stored, also for the next client.
            _ = try await device.mpin.finishRegistration(
                of: try await device.mpin.confirmRegistration(of: user), pin: makePin("1234"))
            #expect(try await device.mpin.dialectOfBackend() == .trust2023)
            let next = try await device.next()
            #expect(try await next.mpin.dialectOfBackend() == .trust2023)
            try await next.logIn(user)
        }
    }

    @Test(arguments: [400, 401, 403, 410, 500]) func anotherAnswerIsNoOtherGeneration(_ status: Int) async throws {
        let device = try await Device(.trust2025).ready()
        device.server.refuse("/registration", status)
        await #expect(throws: MPinError.self) {
            try await device.activated(await device.mpin.makeNewUser("alice@example.com"))
        }
        #expect(device.paths == ["/registration"])
        #expect(try await device.mpin.dialectOfBackend() == .trust2025)
    }

    @Test func aPinnedGenerationIsNotLeft() async throws {
        let platform = try ScriptedServer(.trust2023)
        let device = try await Device(platform) { $0.pinnedDialects = ["rps.test": .trust2025] }.ready()
        await expect(.registrationExpired) {
            try await device.activated(await device.mpin.makeNewUser("alice@example.com"))
        }
        #expect(device.paths == ["/registration"])
    }

    @Test(arguments: DialectName.trust) func registersWithACodeOrATokenOnly(_ generation: DialectName) async throws {
        let device = try await Device(generation).ready()
        let user = await device.mpin.makeNewUser("alice@example.com")
        for code in [nil, SecretBytes(copying: [])] {
            await expect(.flowError) { try await device.mpin.startRegistration(of: user, activateCode: code) }
        }
        #expect(device.transport.requests.isEmpty)
        let codes: [(String, Status)] = [
            ("0badcafe", .identityNotVerified), (String(repeating: "7", count: 32), .identityNotVerified),
            ("271828", .identityNotAuthorized),
        ]
        for (code, status) in codes {
            let error = await #expect(throws: MPinError.self) {
                try await device.mpin.startRegistration(of: user, activateCode: SecretBytes(copying: code.utf8))
            }
            #expect(error?.status == status && error?.refusal == .invalidActivationToken, "\(code)")
        }
        #expect(try await device.mpin.users().isEmpty)
        let quick = try await device.mpin.startRegistration(
            of: user, activateCode: SecretBytes(copying: ScriptedServer.registrationCode.utf8))
        #expect(quick.verificationType == .registrationCode)
    }

    /// Choosing a new PIN. The old identity works until the new one is stored.
    @Test(arguments: DialectName.trust, [true, false])
    func aRegistrationReplacesAnIdentity(_ generation: DialectName, _ isBlocked: Bool) async throws {
        let device = try await Device(generation).ready()
        let mpin = device.mpin
        let old = try await device.user(.registered)
        if isBlocked {
            device.server.change { $0.failures = 2 }
            _ = try? await device.logIn(old, pin: "9999")
            #expect(try await mpin.user(old.key)?.state == .blocked)
        }
        let state: UserState = isBlocked ? .blocked : .registered
        let started = try await mpin.startRegistration(of: old, activateCode: Device.token)
        #expect(started.state == .activated && started.mpinID != old.mpinID)
        #expect(try await mpin.users().count == 1)
        _ = try await mpin.confirmRegistration(of: started)
        // The person leaves: nothing has changed.
        await mpin.forgetShares(of: started)
        #expect(try await mpin.user(old.key)?.state == state)
        #expect(try await mpin.user(old.key)?.mpinID == old.mpinID)
        if !isBlocked { try await device.logIn(old) }
        // The person comes back.
        _ = try await mpin.startRegistration(of: old, activateCode: Device.token)
        _ = try await mpin.confirmRegistration(of: old)
        device.storage.failure = IdentityStorageError(.unavailable, detail: "full")
        await #expect(throws: MPinError.self) { try await mpin.finishRegistration(of: old, pin: makePin("4321")) }
        #expect(try await mpin.user(old.key)?.state == .activated)
        device.storage.failure = nil
        let fresh = try await mpin.finishRegistration(of: old, pin: makePin("4321"))
        #expect(fresh.state == .registered && fresh.mpinID != old.mpinID)
        #expect(try await device.storage.identities().count == 1)
        try await device.logIn(fresh, pin: "4321")
    }

    @Test(arguments: DialectName.trust) func anUnfinishedRegistrationCanBeDeleted(_ generation: DialectName)
        async throws
    {
        let (device, user) = try await Device.with(.activated, generation)
        try await device.mpin.deleteUser(user)
        #expect(try await device.mpin.users().isEmpty && device.storage.changes == 0)
        await expect(.flowError) { try await device.mpin.confirmRegistration(of: user) }
    }

    @Test(arguments: DialectName.later, [4, 5, 6])
    func theServerSaysHowLongAPINIs(_ generation: DialectName, _ length: Int) async throws {
        let device = try await Device(generation).ready()
        device.server.change { $0.pinLength = length }
        let digits = String("123456".prefix(length))
        var user = try await device.activated(await device.mpin.makeNewUser("alice@example.com"))
        #expect(user.pinLength == length)
        user = try await device.mpin.confirmRegistration(of: user)
        device.transport.forgetRequests()
        for wrong in ["1234", "12345", "123456"] where wrong.count != length {
            await expect(.flowError) { try await device.mpin.finishRegistration(of: user, pin: makePin(wrong)) }
        }
        await expect(.cryptoError) {
            try await device.mpin.finishRegistration(of: user, pin: makePin(String(repeating: "0", count: length)))
        }
        user = try await device.mpin.finishRegistration(of: user, pin: makePin(digits))
        #expect(user.pinLength == length)
        // The server never gets a PIN of the wrong length.
        try await device.mpin.startAuthentication(of: user)
        for wrong in ["1234", "12345", "123456"] where wrong.count != length {
            await expect(.flowError) {
                try await device.mpin.finishAuthentication(of: user, pin: makePin(wrong), accessCode: accessCode)
            }
        }
        #expect(device.transport.requests.isEmpty)
        try await device.logIn(user, pin: digits)
    }

    @Test(arguments: [(0, 4), (3, 4), (7, 6), (nil, nil)])
    func aLengthThatNoPINHasIsTheNearestOne(_ said: Int?, _ length: Int?) async throws {
        let device = try await Device(.trust2025).ready()
        device.server.change { $0.pinLength = said }
        let user = try await device.activated(await device.mpin.makeNewUser("alice@example.com"))
        #expect(user.pinLength == length)
        // A server that names no length leaves it to the person, and then it stays.
        guard said == nil else { return }
        #expect(try await device.finish(user, pin: "25836").pinLength == 5)
        let error = await expect(.flowError) { try await device.logIn(user, pin: "2583") }
        #expect(error?.kind == .pinLength(5))
    }

    @Test func aLostShareIsAskedForOnceMore() async throws {
        for (failures, succeeds) in [(1, true), (2, false)] {
            let (device, user) = try await Device.with(.activated, .trust2025)
            for _ in 0..<failures { device.transport.onNext(.get, "/dta/1/0", .lost(true)) }
            do {
                _ = try await device.mpin.confirmRegistration(of: user)
                #expect(succeeds)
                #expect(device.paths == ["/dta/1/0", "/dta/1/0", "/dta/2/0"])
            } catch {
                #expect(!succeeds && error.status == .networkError && error.kind == .network)
                #expect(device.paths == ["/dta/1/0", "/dta/1/0"])
                // Nothing was used up, so the person may try again.
                _ = try await device.mpin.confirmRegistration(of: user)
            }
            _ = try await device.mpin.finishRegistration(of: user, pin: makePin("1234"))
        }
    }

    @Test(arguments: [302, 400, 404, 410, 500]) func aRefusedShareIsNotAskedForAgain(_ status: Int) async throws {
        let (device, user) = try await Device.with(.activated, .trust2025)
        device.transport.on(.get, "/dta/1/0", .status(status))
        let error = await #expect(throws: MPinError.self) { try await device.mpin.confirmRegistration(of: user) }
        #expect(error?.kind == .registrationGone && error?.httpStatus == status)
        #expect(device.paths == ["/dta/1/0"])
        await expect(.flowError) { try await device.mpin.finishRegistration(of: user, pin: makePin("1234")) }
    }
}
