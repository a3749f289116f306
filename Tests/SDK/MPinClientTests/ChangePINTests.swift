// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinClient
import Patience
import Testing

/// Changing the PIN in every dialect. After a success only the new PIN works, after any failure only the old one.
@Suite struct ChangePINTests {
    @Test(arguments: PINChange.dialects) func theNewPINWorks(_ dialect: DialectName) async throws {
        let change = try await PINChange(dialect)
        let before = try #require(try await change.mpin.user(change.user.key))
        let saves = change.storage.changes
        let user = try await change.mpin.changePIN(of: change.user, from: makePin("1234"), to: makePin("4321"))
        #expect(user == before)
        // One login for the verdict, and one save.
        let requests = change.transport.requests
        #expect(requests.map(\.url.path) == [change.pass1, change.pass2, change.verdict])
        #expect(change.storage.changes == saves + 1)
        let sent = requests.compactMap { object($0) }
        let scope = change.isClassic ? nil : dialect == .mfaV2 ? ["oidc"] : ["dvs-auth"]
        #expect(sent[0]["scope"] as? [String] == scope)
        #expect(sent[1]["WID"] as? String == (dialect == .trust2023 || dialect == .trust2025 ? nil : "0"))
        #expect(sent[1]["OTP"] as? Bool == (change.isClassic ? false : nil))
        try await change.expect("4321", not: "1234")
        // And back to the old PIN.
        try await change.mpin.startAuthentication(of: user)
        #expect(try await change.fails(from: "4321", to: "1234") == nil)
        try await change.expect("1234", not: "4321")
    }

    /// The classic servers do not prescribe the length of a PIN.
    @Test(arguments: [DialectName.milagro, .mfaV1]) func theNewPINMayBeLonger(_ dialect: DialectName) async throws {
        let change = try await PINChange(dialect)
        let user = try await change.mpin.changePIN(of: change.user, from: makePin("1234"), to: makePin("739154"))
        #expect(user.pinLength == 6)
        try await change.expect("739154", not: "1234")
    }

    @Test(arguments: PINChange.dialects) func aWrongOldPINCounts(_ dialect: DialectName) async throws {
        let change = try await PINChange(dialect)
        let before = try await change.storage.identities()
        for _ in 1...2 {
            let error = try await change.fails(from: "1111")
            #expect(error?.status == .incorrectPIN && error?.httpStatus == 401 && error?.isFinalRefusal == false)
            #expect(try await change.storage.identities() == before)
        }
        // The next attempt needs no new start, and the right PIN resets the server's count.
        #expect(try await change.fails() == nil)
        try await change.expect("4321", not: "1234")
        try await change.mpin.startAuthentication(of: change.user)
        for number in 1...3 {
            let error = try await change.fails(from: "1111", to: "2222")
            #expect(error?.status == .incorrectPIN && error?.isFinalRefusal == (number == 3), "\(number)")
        }
        #expect(try await change.mpin.user(change.user.key)?.state == .blocked)
        let next = try await change.fails(from: "4321", to: "2222")
        #expect(next?.status == .flowError)
    }

    /// The client reports its own errors before the server judges and counts the old PIN.
    @Test(arguments: PINChange.dialects) func nothingIsAskedForWhatCannotBe(_ dialect: DialectName) async throws {
        let change = try await PINChange(dialect)
        let before = try await change.storage.identities()
        #expect(try await change.fails(to: "1234")?.kind == .samePIN)
        #expect(try await change.fails(to: "0000")?.kind == .unusablePIN)
        #expect(try await change.fails(from: nil)?.status == .pinInputCanceled)
        #expect(try await change.fails(to: nil)?.status == .pinInputCanceled)
        if change.isClassic {
            // The same number, with which the old PIN would still work.
            #expect(try await change.fails(to: "01234")?.kind == .samePIN)
            #expect(try await change.fails(to: "00000")?.kind == .unusablePIN)
        } else {
            #expect(try await change.fails(from: "12345")?.status == .flowError)
            #expect(try await change.fails(to: "54321")?.status == .flowError)
        }
        change.storage.shortage = IdentityStorageError(.full, detail: "no room")
        let full = try await change.fails()
        #expect(full?.kind == .storage(.full))
        change.storage.shortage = nil
        #expect(change.transport.requests.isEmpty)
        try await change.expectUnchanged(since: before)
        // That login used up the start.
        change.transport.forgetRequests()
        #expect(try await change.fails()?.status == .flowError)
        #expect(change.transport.requests.isEmpty)
    }

    /// The disk is full just when the new token is saved.
    @Test(arguments: PINChange.dialects) func aStoreThatFailsKeepsTheOldPIN(_ dialect: DialectName) async throws {
        let change = try await PINChange(dialect)
        let before = try await change.storage.identities()
        let memory = try await change.mpin.user(change.user.key)
        change.transport.on(.post, change.verdict) { [storage = change.storage] _ in
            storage.failure = IdentityStorageError(.full, detail: "no room")
            return .json(#"{"status":200}"#)
        }
        let error = try await change.fails()
        #expect(error?.kind == .storage(.full))
        #expect(error?.detail.contains("the old PIN goes on working") == true)
        change.storage.failure = nil
        #expect(try await change.mpin.user(change.user.key) == memory)
        try await change.expectUnchanged(since: before)
    }

    @Test(arguments: PINChange.dialects, [true, false])
    func aLostRequestChangesNothing(_ dialect: DialectName, _ wasSent: Bool) async throws {
        let change = try await PINChange(dialect)
        let before = try await change.storage.identities()
        for path in [change.pass1, change.pass2, change.verdict] {
            change.transport.on(
                .post, path,
                .failure(HTTPTransportError(.timedOut, requestMayHaveBeenSent: wasSent, detail: "planned")))
            let error = try await change.fails()
            #expect(error?.status == .networkError, "\(path)")
            #expect(error?.outcomeIsUnknown == (wasSent && path != change.pass1), "\(path)")
            try await change.expectUnchanged(since: before)
            try await change.mpin.startAuthentication(of: change.user)
        }
    }

    /// The person does not wait, and the server answers after the call has ended.
    @Test(arguments: PINChange.dialects) func aVerdictThatComesTooLateChangesNothing(_ dialect: DialectName)
        async throws
    {
        let change = try await PINChange(dialect)
        let before = try await change.storage.identities()
        change.transport.on(.post, change.verdict, .silence)
        let task = Task { try await change.fails() }
        await change.transport.waitForRequest(.post, change.verdict)
        task.cancel()
        let error = try await task.value
        #expect(error?.status == .networkError && error?.outcomeIsUnknown == true)
        try await change.expectUnchanged(since: before)
    }

    /// Pass 2 accepts every PIN, so the last call must be a real success.
    @Test(arguments: PINChange.dialects) func onlyTheVerdictCounts(_ dialect: DialectName) async throws {
        let change = try await PINChange(dialect)
        let before = try await change.storage.identities()
        let again = #"{"authOTT":"00112233445566778899aabbccddeeff","pass":2,"version":"0.3"}"#
        var behaviours: [FakeTransport.Behaviour] = [
            .json(again), .json("<html>Sign in to the hotel network</html>"), .json("[]"), .status(302), .status(500),
        ]
        // On today's platform every status from 200 to 299 is a success.
        if dialect != .trust2023, dialect != .trust2025 { behaviours += [.json("{}", status: 201), .status(204)] }
        if !change.isClassic { behaviours.append(.json(#"{"status":401,"message":"no"}"#)) }
        for behaviour in behaviours {
            change.transport.on(.post, change.verdict, behaviour)
            #expect(try await change.fails() != nil, "\(behaviour)")
            try await change.expectUnchanged(since: before)
            try await change.mpin.startAuthentication(of: change.user)
        }
    }

    /// The login that verifies the old PIN brings a new secret, and the new PIN is for that secret.
    @Test(arguments: DialectName.later) func aRenewedSecretIsChanged(_ generation: DialectName) async throws {
        let device = try await PlatformDevice(generation).ready()
        let user = try await device.register()
        device.platform.change { state in
            state.renews = true
            state.newest = 1
        }
        try await device.mpin.startAuthentication(of: user)
        let changed = try await device.mpin.changePIN(of: user, from: makePin("1234"), to: makePin("4321"))
        #expect(changed.mpinID != user.mpinID && changed.pinLength == 4)
        let next = try await PlatformDevice(device.platform, storage: device.storage).ready()
        await #expect(throws: MPinError.self) { try await next.logIn(changed) }
        try await next.logIn(changed, pin: "4321")
    }

    /// The new secret arrives, but the login with it fails. The old PIN is for that secret.
    @Test(arguments: DialectName.later) func aRenewalThatIsNotProvedKeepsThePIN(_ generation: DialectName) async throws
    {
        let device = try await PlatformDevice(generation).ready()
        let user = try await device.register()
        device.platform.change { state in
            state.renews = true
            state.newest = 1
        }
        try await device.mpin.startAuthentication(of: user)
        device.transport.on(.get, "/dta/2/1") { [platform = device.platform, transport = device.transport] request in
            transport.on(
                .post, "/rps/v2/authenticate",
                .failure(HTTPTransportError(.timedOut, requestMayHaveBeenSent: true, detail: "planned")))
            return platform.share(request)
        }
        let error = await #expect(throws: MPinError.self) {
            try await device.mpin.changePIN(of: user, from: makePin("1234"), to: makePin("4321"))
        }
        #expect(error?.outcomeIsUnknown == true)
        device.platform.install()
        let renewed = try #require(try await device.mpin.user(user.key))
        #expect(renewed.mpinID != user.mpinID)
        let next = try await PlatformDevice(device.platform, storage: device.storage).ready()
        await #expect(throws: MPinError.self) { try await next.logIn(renewed, pin: "4321") }
        try await next.logIn(renewed)
    }

    /// A signing key with its own PIN keeps that PIN. A PIN for both purposes is changed for both.
    @Test(arguments: DialectName.later) func theSigningPINIsAnother(_ generation: DialectName) async throws {
        let device = try await PlatformDevice(generation).ready()
        let user = try await device.registerSigner()
        try await device.mpin.startAuthentication(of: user)
        let changed = try await device.mpin.changePIN(of: user, from: makePin("1234"), to: makePin("4321"))
        #expect(changed.canSign && changed.signingPINLength == user.signingPINLength)
        let next = try await PlatformDevice(device.platform, storage: device.storage).ready()
        let digest = MPin.hashDocument(Array("pay".utf8))
        let signingPIN = device.platform.isTrust ? "4321" : device.signingPIN
        let wrong = await #expect(throws: MPinError.self) {
            try await next.mpin.sign(documentHash: digest, as: changed, pin: makePin("1234"))
        }
        #expect(wrong?.status == .incorrectPIN)
        let signature = try await next.mpin.sign(documentHash: digest, as: changed, pin: makePin(signingPIN))
        #expect(device.platform.accepts(signature))
        try await next.logIn(changed, pin: "4321")
    }

    /// A person changes the PIN back and forth on a bad network. The stored state is always the one that the call
    /// reported.
    @Test(arguments: 0..<UInt64(12)) func oneOfTheTwoWorksOnABadNetwork(_ seed: UInt64) async throws {
        let change = try await PINChange(.milagro)
        var faults = FakeTransport.FaultPlan(seed: seed, oneIn: 4)
        var pins = ["1234", "4321"]
        for round in 0..<12 {
            do { try await change.mpin.startAuthentication(of: change.user) } catch {}
            for path in [change.pass1, change.pass2, change.verdict] {
                guard let fault = faults.next() else { continue }
                change.transport.onNext(
                    .post, path,
                    .failure(
                        HTTPTransportError(
                            .transferFailed, requestMayHaveBeenSent: fault != .beforeSending, detail: "planned")))
            }
            let error = try await change.fails(from: pins[0], to: pins[1])
            if error == nil { pins.swapAt(0, 1) }
            // Remove rules for requests that were not made.
            change.install()
            #expect(try await !change.works(pins[1]), "seed \(seed), round \(round)")
            #expect(try await change.works(pins[0]), "seed \(seed), round \(round)")
        }
    }
}
