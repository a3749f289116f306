// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
public import LoginValues
public import MPinClient

extension OperatorDesk {
    /// Logs in for a one-time password, which is typed in somewhere else.
    ///
    /// - Parameters:
    ///   - user: at the backend that is open.
    ///   - askPIN: asked once, when everything is ready; nil declines.
    /// - Returns: a password; its status is `OK`.
    public func oneTimePassword(
        of user: User, askPIN: @Sendable () async -> Pin?
    ) async throws(RunFailure) -> OneTimePassword {
        try requireRegistered(user)
        try await begin("one-time password", user) { () throws(MPinError) in
            try await sdk.startAuthenticationOTP(of: user)
        }
        guard let pin = await askPIN() else { throw RunFailure(.declined) }
        try require(pin, toFit: user, user.pinLength)
        let password: OneTimePassword
        do throws(MPinError) { password = try await sdk.finishAuthenticationOTP(of: user, pin: pin) } catch {
            throw await verdict(error, of: "one-time password", on: user)
        }
        return try OperatorDesk.issued(password)
    }

    /// Logs in for a code with which another device of the same user is enrolled.
    ///
    /// - Parameters:
    ///   - user: at the backend that is open.
    ///   - askPIN: asked once, when everything is ready; nil declines.
    /// - Returns: a code; its status is `OK`.
    public func registrationCode(
        of user: User, askPIN: @Sendable () async -> Pin?
    ) async throws(RunFailure) -> OneTimePassword {
        try requireRegistered(user)
        try await begin("registration code", user) { () throws(MPinError) in
            try await sdk.startAuthenticationRegCode(of: user)
        }
        guard let pin = await askPIN() else { throw RunFailure(.declined) }
        try require(pin, toFit: user, user.pinLength)
        let code: OneTimePassword
        do throws(MPinError) { code = try await sdk.finishAuthenticationRegCode(of: user, pin: pin) } catch {
            throw await verdict(error, of: "registration code", on: user)
        }
        return try OperatorDesk.issued(code)
    }

    /// The state was checked before: what the SDK still refuses here without a request is what the dialect does not have.
    private func begin(
        _ what: String, _ user: User, _ body: () async throws(MPinError) -> Void
    ) async throws(RunFailure) {
        do throws(MPinError) { try await body() } catch {
            let failure = failure(error, of: what, .authenticating)
            throw error.status == .flowError ? RunFailure(.notOffered, status: error.status.name) : failure
        }
    }

    /// A login may be accepted without bringing what it was for.
    private static func issued(_ password: OneTimePassword) throws(RunFailure) -> OneTimePassword {
        switch password.status {
        case .ok: return password
        case .flowError: throw RunFailure(.notOffered)
        default: throw RunFailure(.failed, status: password.status.name)
        }
    }

    /// A PIN of another length cannot be the right one. The classic servers leave that to the proof.
    func require(_ pin: borrowing Pin, toFit user: User, _ length: Int?) throws(RunFailure) {
        guard let length, user.dialect != .milagro, user.dialect != .mfaV1, pin.length != length else { return }
        throw RunFailure(.pinLength(length...length))
    }
}
