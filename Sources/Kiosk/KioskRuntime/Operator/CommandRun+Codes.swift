// SPDX-License-Identifier: Apache-2.0

public import KioskMachine
public import LoginValues
public import MPinClient

/// Digits that the server issued, to be typed elsewhere.
public struct IssuedCode: Sendable {
    public let digits: SecretBytes
    public let ttlSeconds: Int64
    /// Seconds since 1970-01-01 UTC by the server's clock.
    public let expireTime: Int64?
}

extension CommandRun {
    /// Logs in for digits to be typed elsewhere.
    ///
    /// - Parameters:
    ///   - task: `oneTimePassword` or `registrationCode`.
    ///   - user: at the opened backend.
    ///   - askPIN: called once, when everything is ready; nil declines.
    public func issueCode(
        _ task: KioskTask, of user: User, askPIN: () async -> Pin?
    ) async throws(KioskFailure) -> IssuedCode {
        defer { file.close() }
        let identity = KioskIdentity(user)
        try await take(.startAuthentication(identity, for: task))
        try await keep(askPIN)
        guard
            case .codeIssued(let lifetime, let expireTime) = try await take(
                .finishAuthentication(identity, for: task))
        else { throw KioskFailure(.failed) }
        return IssuedCode(
            digits: file.issuedCode, ttlSeconds: lifetime.components.seconds, expireTime: expireTime)
    }

    /// Changes the PIN of an identity: the server checks the old one, and the new one replaces it in one step.
    ///
    /// - Parameters:
    ///   - user: at the opened backend.
    ///   - askPIN: asks for the old PIN once, when everything is ready; nil declines.
    ///   - newPIN: asked afterwards. Since `mfa-v2` a PIN keeps its number of digits.
    /// - Throws: the old PIN still works then, unless the server has blocked the identity.
    public func changePIN(
        of user: User, askPIN: () async -> Pin?, newPIN: NewPINChoice
    ) async throws(KioskFailure) {
        defer { file.close() }
        let identity = KioskIdentity(user)
        try await take(.startAuthentication(identity, for: .changePIN))
        guard let old = await askPIN() else { throw KioskFailure(.declined) }
        let new = try await newPIN.choose(length: identity.requiredPINLength)
        guard !old.matches(new) else { throw KioskFailure(.samePIN) }
        file.keep(new)
        file.keep(old: old)
        do throws(KioskFailure) { try await take(.finishAuthentication(identity, for: .changePIN)) } catch {
            switch error.outcome {
            case .storageFailed: throw KioskFailure(.pinNotStored, status: error.status)
            case .unreachable where error.passTwoWasSent: throw KioskFailure(.pinVerdictLost, status: error.status)
            default: throw error
            }
        }
    }
}
