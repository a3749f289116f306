// SPDX-License-Identifier: Apache-2.0

package import BackendValues
import MPinCrypto
import OpenIDProvider

/// MIRACL's platform with one project. It verifies mail addresses, registers identities with their own keys, verifies
/// logins and signatures, and keeps the sessions of browsers that wait for a device. Relying parties know only its
/// project URL. docs/protocol/miracl.md, sections 6 to 13, dialects mfa-v2, trust-2023 and trust-2025.
package struct Platform: Sendable {
    static let curve = "BN254CX"

    let parts: ServerParts
    let pinLength: Int
    let proofs: ProofEngine

    package var projectID: String { parts.projectID }
    package var credentials: AppCredentials { parts.credentials }
    package var tokens: WebTokenIssuer { parts.tokens }
    package var clock: any WallClock { parts.clock }
    var authorities: Authorities { parts.authorities }
    var storage: BackendStorage { parts.storage }
    var site: SiteDescription { parts.site }
    var outbox: Outbox { parts.outbox }

    // A restart may lose these entries: people then ask for another mail or show the code again.
    // `docs/backend-bounds.md` lists who can fill each table, and the consequences.
    let verifications: UserCodes<Verification>
    let activations: UserCodes<Verification>
    /// Waits for further mails, by user.
    package let mails: any VolatileTable<String, MailBackoff>
    let renewals: any VolatileTable<OneTimeToken, Renewal>
    /// Rights of devices to issue a code, by the number of the token.
    let registrationCodeRights: any VolatileTable<OneTimeToken, RegistrationCodeRight>
    let mailedRegistrations: any VolatileTable<MPinID, MailedRegistration>
    let applicationLogins: ApplicationLogins
    let pendingRegistrations: any VolatileTable<MPinID, PendingRegistration>
    package let sessions: LoginSessions

    /// - Throws: `BackendError.randomnessUnavailable`.
    package init(_ parts: ServerParts, pinLength: Int) throws(BackendError) {
        let tables = parts.storage.volatile
        sessions = try LoginSessions(
            "platform/sessions", remainder: LoginSession.lifetime - parts.site.codeLifetime, networks: parts.networks,
            in: tables)
        verifications = UserCodes("platform/mailed codes", in: tables)
        activations = UserCodes("platform/activation tokens", in: tables)
        mails = tables.table("platform/waits between mails")
        renewals = tables.table("platform/renewals", bounds: .ofPeople)
        registrationCodeRights = tables.table("platform/rights to a code", bounds: .ofPeople)
        mailedRegistrations = tables.table("platform/mailed registrations")
        applicationLogins = ApplicationLogins("platform/application logins", in: tables)
        pendingRegistrations = tables.table("platform/pending registrations", bounds: .ofPeople)
        proofs = parts.proofs(at: "platform")
        self.parts = parts
        self.pinLength = pinLength
    }
}
