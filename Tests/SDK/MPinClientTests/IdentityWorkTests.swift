// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinClient
import Testing

/// The remembered parts of an identity's work, and the events that end each of them.
@Suite struct IdentityWorkTests {
    enum Part: CaseIterable {
        case shares, pendingRegistration, signingShares, startedLogin, logout, completedToken
    }

    enum Event: CaseIterable {
        /// A call of ``MPin/forgetShares(of:)``.
        case personLeaves
        case backendIsSetAnew
        case clientIsDestroyed
        /// The identity is deleted, and the same person registers again up to the same point.
        case identityIsDeleted
    }

    /// The reasons why the three selections differ: a person who leaves a registration does not end a login, another
    /// browser's session, or a change of a stored token. Another backend affects only the beginning of a login.
    static func outlives(_ part: Part, _ event: Event) -> Bool {
        switch (part, event) {
        case (.startedLogin, .personLeaves), (.logout, .personLeaves), (.completedToken, .personLeaves): true
        case (.startedLogin, .backendIsSetAnew): false
        case (_, .backendIsSetAnew): true
        case (_, .personLeaves), (_, .clientIsDestroyed), (_, .identityIsDeleted): false
        }
    }

    @Test(arguments: Part.allCases, Event.allCases) func isForgottenInTime(_ part: Part, _ event: Event) async throws {
        let stage = try await WorkStage(part)
        #expect(try await stage.isThere())
        // The check may have used it up.
        let fresh = try await WorkStage(part)
        try await fresh.happens(event)
        #expect(try await fresh.isThere() == Self.outlives(part, event))
    }

    /// The server's final refusal ends everything. A later registration begins with nothing.
    @Test(arguments: [Part.signingShares, .startedLogin, .logout])
    func nothingOutlivesABlockedIdentity(_ part: Part) async throws {
        let stage = try await WorkStage(part)
        try await stage.block()
        #expect(try await stage.mpin.user(stage.user.key)?.state == .blocked)
        #expect(await !stage.mpin.canLogout(stage.user))
        try await stage.happens(.identityIsDeleted)
        #expect(try await !stage.isThere())
    }

    /// A token that is stored complete must not be completed again, even if the person leaves.
    @Test func aTokenIsCompletedOnceThoughThePersonLeft() async throws {
        let stage = try await WorkStage(.completedToken)
        try await stage.happens(.personLeaves)
        let error = await #expect(throws: MPinError.self) {
            try await stage.mpin.setRegistrationToken(SecretBytes(copying: "again".utf8), of: stage.user)
        }
        #expect(error?.kind == .misuse)
    }
}

/// A client that remembers one part of one identity's work.
private struct WorkStage {
    let part: IdentityWorkTests.Part
    let mpin: MPin
    let user: User
    private let platform: PlatformDevice?
    private let device: Device?

    init(_ part: IdentityWorkTests.Part) async throws {
        self.part = part
        switch part {
        case .pendingRegistration, .signingShares:
            let platform = try await PlatformDevice(part == .signingShares ? .mfaV2 : .trust2025).ready()
            (self.platform, device, mpin) = (platform, nil, platform.mpin)
        case .shares, .startedLogin, .logout, .completedToken:
            let device = try await Device().ready()
            (platform, self.device, mpin) = (nil, device, device.mpin)
        }
        user = try await Self.register(part, device, platform)
        try await prepare()
    }

    /// Registers as far as needed for the part.
    private static func register(
        _ part: IdentityWorkTests.Part, _ device: Device?, _ platform: PlatformDevice?
    ) async throws -> User {
        switch part {
        case .pendingRegistration, .signingShares:
            let platform = try #require(platform)
            guard part == .signingShares else { return await platform.mpin.makeNewUser("alice@example.com") }
            return try await platform.register()
        case .shares, .completedToken, .startedLogin, .logout:
            let device = try #require(device)
            return try await device.user(
                part == .shares ? .activated : part == .completedToken ? .startedRegistration : .registered)
        }
    }

    private func prepare() async throws {
        switch part {
        case .shares: _ = try await mpin.confirmRegistration(of: user)
        case .completedToken:
            try await mpin.setRegistrationToken(SecretBytes(copying: "second".utf8), of: user)
        case .startedLogin: try await mpin.startAuthentication(of: user, accessCode: accessCode)
        case .logout:
            try await mpin.startAuthentication(of: user, accessCode: accessCode)
            _ = try await mpin.finishAuthentication(of: user, pin: makePin("1234"), accessCode: accessCode)
        case .signingShares: try await mpin.startRegistrationDVS(of: user, pin: makePin("1234"))
        case .pendingRegistration:
            _ = try await mpin.startRegistration(of: user, activateCode: PlatformDevice.token)
        }
    }

    func happens(_ event: IdentityWorkTests.Event) async throws {
        switch event {
        case .personLeaves: await mpin.forgetShares(of: user)
        case .backendIsSetAnew: try await setBackend()
        case .clientIsDestroyed:
            try await mpin.destroy()
            try await mpin.initialize()
            try await setBackend()
        case .identityIsDeleted:
            try await mpin.deleteUser(user)
            guard part != .pendingRegistration else { return }
            _ = try await Self.register(part, device, platform)
        }
    }

    private func setBackend() async throws {
        if let platform { _ = try await platform.ready() } else { _ = try await device?.ready() }
    }

    /// Makes the server refuse the identity for good.
    func block() async throws {
        try await mpin.startAuthentication(of: user)
        let path = device == nil ? "/rps/v2/authenticate" : "/rps/authenticate"
        let transport = try #require(device?.transport ?? platform?.transport)
        transport.onNext(.post, path, .status(410))
        let error = await #expect(throws: MPinError.self) {
            try await mpin.finishAuthentication(of: user, pin: makePin("1234"), accessCode: accessCode)
        }
        #expect(error?.kind == .blocked)
    }

    /// Whether the part is remembered, as the call that needs it sees.
    func isThere() async throws -> Bool {
        do {
            switch part {
            case .shares: _ = try await mpin.finishRegistration(of: user, pin: makePin("1234"))
            case .pendingRegistration: return try await mpin.user(user.key) != nil
            case .signingShares: _ = try await mpin.finishRegistrationDVS(of: user, pinDVS: makePin("5678"))
            case .startedLogin:
                _ = try await mpin.finishAuthentication(of: user, pin: makePin("1234"), accessCode: accessCode)
            case .logout: return await mpin.canLogout(user)
            case .completedToken: return await mpin.isRegistrationTokenSet(user)
            }
            return true
        } catch let error as MPinError {
            #expect(error.kind == .misuse)
            return false
        }
    }
}
