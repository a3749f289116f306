// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
public import LoginValues
public import MPinClient

extension OperatorClient {
    /// Logs in for a one-time password, to be typed elsewhere.
    ///
    /// - Parameters:
    ///   - user: at the current backend.
    ///   - askPIN: called once, when everything is ready; nil declines.
    /// - Returns: a password, with its digits.
    public func oneTimePassword(
        of user: User, askPIN: @Sendable () async -> Pin?
    ) async throws(CommandFailure) -> OneTimePassword {
        try requireRegistered(user)
        try await call("one-time password", .authenticating) { () throws(MPinError) in
            try await sdk.startAuthenticationOTP(of: user)
        }
        guard let pin = await askPIN() else { throw CommandFailure(.declined) }
        let password: OneTimePassword
        do throws(MPinError) { password = try await sdk.finishAuthenticationOTP(of: user, pin: pin) } catch {
            throw failure(error, of: "one-time password", .authenticating)
        }
        return try issued(password)
    }

    /// Logs in for a code that enrols another device of the same user.
    ///
    /// - Parameters:
    ///   - user: at the current backend.
    ///   - askPIN: called once, when everything is ready; nil declines.
    /// - Returns: a code, with its digits.
    public func registrationCode(
        of user: User, askPIN: @Sendable () async -> Pin?
    ) async throws(CommandFailure) -> OneTimePassword {
        try requireRegistered(user)
        try await call("registration code", .authenticating) { () throws(MPinError) in
            try await sdk.startAuthenticationRegCode(of: user)
        }
        guard let pin = await askPIN() else { throw CommandFailure(.declined) }
        let code: OneTimePassword
        do throws(MPinError) { code = try await sdk.finishAuthenticationRegCode(of: user, pin: pin) } catch {
            throw failure(error, of: "registration code", .authenticating)
        }
        return try issued(code)
    }

    /// Refuses a login that was accepted without issuing digits.
    private func issued(_ password: OneTimePassword) throws(CommandFailure) -> OneTimePassword {
        guard let absence = password.absence else { return password }
        throw failure(
            MPinError(absence, detail: "the login was accepted and brought none"), of: "code", .authenticating)
    }
}
