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
        await expect(.flowError, .misuse) {
            try await stage.mpin.setRegistrationToken(SecretBytes(copying: "again".utf8), of: stage.user)
        }
    }
}

/// A client that remembers one part of one identity's work.
private struct WorkStage {
    let part: IdentityWorkTests.Part
    let mpin: MPin
    let user: User
    private let device: Device

    init(_ part: IdentityWorkTests.Part) async throws {
        self.part = part
        let dialect: DialectName =
            switch part {
            case .pendingRegistration: .trust2025
            case .signingShares: .mfaV2
            default: .milagro
            }
        device = try await Device(dialect).ready()
        mpin = device.mpin
        user = try await device.user(Self.state(part))
        try await prepare()
    }

    /// The state of the registration for the part.
    private static func state(_ part: IdentityWorkTests.Part) -> UserState {
        switch part {
        case .pendingRegistration: .invalid
        case .shares: .activated
        case .completedToken: .startedRegistration
        case .startedLogin, .logout, .signingShares: .registered
        }
    }

    private func prepare() async throws {
        switch part {
        case .shares: _ = try await mpin.confirmRegistration(of: user)
        case .completedToken:
            try await mpin.setRegistrationToken(SecretBytes(copying: "second".utf8), of: user)
        case .startedLogin: try await mpin.startAuthentication(of: user, accessCode: accessCode)
        case .logout: try await device.logIn(user)
        case .signingShares: try await mpin.startRegistrationDVS(of: user, pin: makePin("1234"))
        case .pendingRegistration: _ = try await device.activated(user)
        }
    }

    func happens(_ event: IdentityWorkTests.Event) async throws {
        switch event {
        case .personLeaves: await mpin.forgetShares(of: user)
        case .backendIsSetAnew: try await device.setBackend()
        case .clientIsDestroyed:
            try await mpin.destroy()
            try await mpin.initialize()
            try await device.setBackend()
        case .identityIsDeleted:
            try await mpin.deleteUser(user)
            _ = try await device.user(Self.state(part))
        }
    }

    /// Makes the server refuse the identity for good.
    func block() async throws {
        try await mpin.startAuthentication(of: user)
        device.transport.onNext(.post, device.server.root + "/authenticate", .status(410))
        await expect(.incorrectPIN, .blocked) {
            try await mpin.finishAuthentication(of: user, pin: makePin("1234"), accessCode: accessCode)
        }
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
