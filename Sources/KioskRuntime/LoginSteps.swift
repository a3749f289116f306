// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import LoginValues

/// What a login asks of the SDK, one method a step: ``MPinSteps`` on an `MPin`, a script in tests. What an errand asks more
/// has a protocol of its own.
///
/// Every method ends within the deadlines of its requests and soon after its task was cancelled. Failures that a person
/// should be told apart are told apart; details go to the log of the implementation.
protocol LoginSteps: OneTimePasswordSteps, QuickCodeSteps, LocalLoginSteps, IdentitySteps, LogoutSteps, EnrolmentSteps,
    SigningSteps
{
    func readService(at baseURL: WebAddress) async throws(KioskFailure) -> ServiceOffer

    /// - Parameter accessCode: asks about the browser's session, and tells the server that its code was scanned.
    func openBackend(
        _ offer: ServiceOffer, accessCode: AccessCode?
    ) async throws(KioskFailure) -> BackendSession

    /// Checks what can be checked of an access code that was typed by hand, before anybody gives a PIN for it.
    func checkTyped(_ accessCode: AccessCode) async throws(KioskFailure)

    func startRegistration(
        userID: String, accessCode: AccessCode?
    ) async throws(KioskFailure) -> KioskIdentity

    /// Sends the activation mail again. A registration that the server has forgotten is begun anew.
    func restartRegistration(
        of identity: KioskIdentity, accessCode: AccessCode?
    ) async throws(KioskFailure) -> KioskIdentity

    func confirmRegistration(of identity: KioskIdentity) async throws(KioskFailure)
    func finishRegistration(
        of identity: KioskIdentity, pin: consuming Pin
    ) async throws(KioskFailure) -> KioskIdentity

    func startAuthentication(of identity: KioskIdentity, accessCode: AccessCode) async throws(KioskFailure)

    /// - Throws: with reason `blocked` when the server has blocked the identity with this attempt.
    func finishAuthentication(
        of identity: KioskIdentity, pin: consuming Pin, accessCode: AccessCode
    ) async throws(KioskFailure)

    /// Tells the server that the session was given up. Nobody is told whether it heard.
    func abort(_ accessCode: AccessCode) async
    func forgetShares(of identity: KioskIdentity) async
    /// Deletes this identity and no other.
    func delete(_ identity: KioskIdentity) async
}
