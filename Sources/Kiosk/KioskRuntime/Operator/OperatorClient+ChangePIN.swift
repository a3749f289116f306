// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
public import LoginValues
public import MPinClient

extension OperatorClient {
    /// Changes the PIN of an identity: the server judges the old one, and the new one replaces it in one step.
    ///
    /// - Parameters:
    ///   - user: at the current backend.
    ///   - askPIN: asks for the old PIN once, when everything is ready; nil declines.
    ///   - newPIN: asked afterwards. Since `mfa-v2` a PIN keeps its number of digits.
    /// - Throws: the old PIN still works then, unless the server has blocked the identity.
    public func changePIN(
        of user: User, askPIN: @Sendable () async -> Pin?, newPIN: NewPINChoice
    ) async throws(CommandFailure) {
        try requireRegistered(user)
        try await call("change of the PIN", .authenticating) { () throws(MPinError) in
            try await sdk.startAuthentication(of: user)
        }
        guard let old = await askPIN() else { throw CommandFailure(.declined) }
        let isFree = user.dialect == .milagro || user.dialect == .mfaV1
        let new = try await newPIN.choose(.identity, length: isFree ? nil : user.pinLength)
        guard !old.matches(new) else { throw CommandFailure(.samePIN) }
        do throws(MPinError) { _ = try await sdk.changePIN(of: user, from: old, to: new) } catch {
            let failure = failure(error, of: "change of the PIN", .authenticating)
            switch error.kind {
            case .storage: throw CommandFailure(.pinNotStored, status: failure.status)
            case .outcomeUnknown: throw CommandFailure(.pinVerdictLost, status: failure.status)
            default: throw failure
            }
        }
    }
}
