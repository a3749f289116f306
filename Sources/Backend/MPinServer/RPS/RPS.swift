// SPDX-License-Identifier: Apache-2.0

package import BackendValues
package import Logging
import MPinCrypto
package import OpenIDProvider

/// The M-Pin server: it registers identities, relays shares, verifies logins and keeps the sessions of browsers that
/// wait for a device. docs/protocol/milagro.md, section 11.1.
package struct RPS: Sendable {
    package let credentials: AppCredentials
    let authorities: Authorities
    let storage: BackendStorage
    let registrationPolicy: RegistrationPolicy
    let outbox: Outbox
    let mount: ClassicMount
    let networks: NetworkPlaces
    /// The company that devices of `mfa-v1` name.
    let companyID: String
    let proofs: ProofEngine
    let clock: any WallClock
    let logger: Logger

    package var dialect: Dialect { mount.dialect }

    // Tables that a restart may empty. `docs/backend-bounds.md` says who can fill each table, and what happens then.
    package let sessions: LoginSessions
    package let numbers: AccessNumbers
    /// Registrations that strangers began within the hour, by mpin_id.
    let begunRegistrations: any VolatileTable<MPinID, Bool>
    package let applicationLogins: ApplicationLogins

    /// - Throws: `BackendError.randomnessUnavailable`.
    package init(
        credentials: AppCredentials, authorities: Authorities, storage: BackendStorage,
        registrationPolicy: RegistrationPolicy, outbox: Outbox, mount: ClassicMount, networks: NetworkPlaces,
        companyID: String, proofs: ProofEngine, clock: any WallClock, logger: Logger
    ) throws(BackendError) {
        let place = mount.name
        sessions = try LoginSessions(
            place + "/sessions",
            remainder: LoginSession.lifetime + LoginSession.grace - mount.site.codeLifetime, networks: networks,
            in: storage.volatile)
        numbers = AccessNumbers(at: place, in: storage.volatile)
        begunRegistrations = storage.volatile.table(
            place + "/begun registrations", bounds: TableQuota(capacity: Registration.capacity))
        applicationLogins = ApplicationLogins(place + "/application logins", in: storage.volatile)
        self.credentials = credentials
        self.authorities = authorities
        self.storage = storage
        self.registrationPolicy = registrationPolicy
        self.outbox = outbox
        self.mount = mount
        self.networks = networks
        self.companyID = companyID
        self.proofs = proofs
        self.clock = clock
        self.logger = logger
    }
}
