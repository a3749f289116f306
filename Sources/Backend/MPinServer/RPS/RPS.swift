// SPDX-License-Identifier: Apache-2.0

package import BackendValues
import MPinCrypto
package import OpenIDProvider

/// The M-Pin server: it registers identities, relays shares, verifies logins and keeps the sessions of browsers that
/// wait for a device. docs/protocol/milagro.md, section 11.1.
package struct RPS: Sendable {
    let parts: ServerParts
    let mount: ClassicMount
    let proofs: ProofEngine

    package var dialect: Dialect { mount.dialect }
    var credentials: AppCredentials { parts.credentials }
    var authorities: Authorities { parts.authorities }
    var storage: BackendStorage { parts.storage }
    var clock: any WallClock { parts.clock }

    // Tables that a restart may empty. `docs/backend-bounds.md` lists who can fill each table, and the consequences.
    package let sessions: LoginSessions
    package let numbers: AccessNumbers
    /// Registrations that strangers began within the hour, by mpin_id.
    let begunRegistrations: any VolatileTable<MPinID, Bool>
    package let applicationLogins: ApplicationLogins

    /// - Throws: `BackendError.randomnessUnavailable`.
    package init(_ parts: ServerParts, at mount: ClassicMount) throws(BackendError) {
        let (endpoint, tables) = (mount.name, parts.storage.volatile)
        sessions = try LoginSessions(
            endpoint + "/sessions", remainder: LoginSession.lifetime + LoginSession.grace - mount.site.codeLifetime,
            networks: parts.networks, in: tables)
        numbers = AccessNumbers(at: endpoint, in: tables)
        begunRegistrations = tables.table(
            endpoint + "/begun registrations", bounds: TableQuota(capacity: Registration.capacity))
        applicationLogins = ApplicationLogins(endpoint + "/application logins", in: tables)
        proofs = parts.proofs(at: endpoint)
        self.parts = parts
        self.mount = mount
    }
}
