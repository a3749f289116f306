// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import Logging
import LoginValues
import MPinClient

// Wrong PINs of unverified people are counted with the identity, so that neither another session nor a power cut gives
// them more tries. The server has its own count, and only the server blocks an identity by it.
extension MPinStepRunner {
    /// Proves a PIN that a server checks, and counts the try.
    func proveAndCount<Result>(
        _ what: String, of identity: KioskIdentity,
        _ body: (User, consuming Pin) async throws(MPinError) -> Result
    ) async throws(KioskFailure) -> Result {
        let pin = try file.takePIN()
        let before = await countTry(of: identity)
        do throws(MPinError) {
            let result = try await body(try await user(identity), pin)
            await settleTry(of: identity, before, nil)
            return result
        } catch {
            await settleTry(of: identity, before, error)
            throw failure(error, of: what)
        }
    }

    /// Counts a try of an unverified user before the request is sent, so that an interrupted try is counted too.
    ///
    /// - Returns: the number of tries before; nil when none are counted.
    func countTry(of identity: KioskIdentity) async -> Int? {
        guard let user = try? await sdk.user(identity.key), !user.isGuest else { return nil }
        if file.isUnverified { await setTries(user.tries + 1, of: user) }
        return user.tries
    }

    /// - Parameters:
    ///   - before: from ``countTry(of:)``.
    ///   - error: nil when the PIN was right.
    func settleTry(of identity: KioskIdentity, _ before: Int?, _ error: MPinError?) async {
        guard let before, let user = try? await sdk.user(identity.key) else { return }
        guard let error else { return await setTries(0, of: user) }
        // An attempt that the server did not check is not a try.
        let mayBeWrong = error.kind == .wrongPIN || error.kind == .blocked || error.outcomeIsUnknown
        if !mayBeWrong { await setTries(before, of: user) }
    }

    func forgetTries(of key: IdentityKey) async {
        if let user = try? await sdk.user(key), user.tries > 0 { await setTries(0, of: user) }
    }

    private func setTries(_ tries: Int, of user: User) async {
        do { try await sdk.setTries(tries, of: user) } catch {
            // A full disk does not prevent a login; the count is then only in memory.
            logger.error("a try could not be stored", metadata: ["detail": "\(error.detail)"])
        }
    }

    /// Lets a blocked identity that is kept ask the server again.
    func reconsider(_ identity: KioskIdentity) async {
        guard let user = try? await sdk.user(identity.key), user.blockedUntil != nil else { return }
        try? await sdk.reconsider(user)
    }
}
