// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
public import LoginValues
public import MPinClient

extension OperatorClient {
    /// Whether an identity at the current backend needs ``enableSigning(_:askPIN:newPIN:)`` first.
    ///
    /// - Throws: `notOffered` when the dialect has no signing.
    public func needsSigningKey(_ user: User) throws(CommandFailure) -> Bool {
        try requireRegistered(user)
        if user.canSign { return false }
        guard user.dialect == .mfaV2 else { throw CommandFailure(.notOffered) }
        return true
    }

    /// Registers a key for signing, with a PIN of its own.
    ///
    /// - Parameter askPIN: the identity's PIN; nil declines.
    /// - Returns: the identity, which can sign now.
    public func enableSigning(
        _ user: User, askPIN: @Sendable () async -> Pin?, newPIN: NewPINChoice
    ) async throws(CommandFailure) -> User {
        guard let pin = await askPIN() else { throw CommandFailure(.declined) }
        do throws(MPinError) { try await sdk.startRegistrationDVS(of: user, pin: pin) } catch {
            throw failure(error, of: "register for signing", .authenticating)
        }
        let signingPIN: Pin
        do throws(CommandFailure) { signingPIN = try await newPIN.choose(.signing, length: nil) } catch {
            await sdk.forgetShares(of: user)
            throw error
        }
        do throws(MPinError) { return try await sdk.finishRegistrationDVS(of: user, pinDVS: signingPIN) } catch {
            throw failure(error, of: "register for signing", .registering)
        }
    }

    /// Signs a digest.
    ///
    /// - Parameters:
    ///   - digest: SHA-256, 32 bytes, of the shown document.
    ///   - timestamp: the relying party's; nil takes the device's clock.
    ///   - askPIN: the PIN for signing; nil declines.
    public func sign(
        _ digest: [UInt8], as user: User, timestamp: UInt32?, askPIN: @Sendable () async -> Pin?
    ) async throws(CommandFailure) -> DVSSignature {
        guard let pin = await askPIN() else { throw CommandFailure(.declined) }
        do throws(MPinError) {
            return try await sdk.sign(documentHash: digest, as: user, pin: pin, timestamp: timestamp)
        } catch {
            throw failure(error, of: "sign", .authenticating)
        }
    }

    /// Asks the backend for a signing session.
    ///
    /// - Parameter code: from its QR code, at the current backend.
    public func signingSession(_ code: AccessCode) async throws(CommandFailure) -> SigningSession {
        let session = try await call("signing session", .authenticating) { () throws(MPinError) in
            try await sdk.signingSessionDetails(for: code)
        }
        guard !session.isSigned else { throw CommandFailure(.alreadySigned) }
        return session
    }

    /// Signs the document of a session, and hands the signature in. Tells the server if the person declines.
    ///
    /// - Parameter askPIN: the PIN for signing; nil declines.
    public func sign(
        _ session: SigningSession, as user: User, askPIN: @Sendable () async -> Pin?
    ) async throws(CommandFailure) -> DVSSignature {
        guard let pin = await askPIN() else {
            _ = try? await call("abort signing", .authenticating) { () throws(MPinError) in
                try await sdk.abortSigningSession(session)
            }
            throw CommandFailure(.declined)
        }
        do throws(MPinError) { return try await sdk.sign(session, as: user, pin: pin) } catch {
            throw failure(error, of: "sign", .authenticating)
        }
    }
}
