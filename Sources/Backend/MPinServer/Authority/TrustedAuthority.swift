// SPDX-License-Identifier: Apache-2.0

package import BackendValues
package import MPinCrypto

/// A D-TA in this process. It holds half of the master secret.
package final class TrustedAuthority: Authority {
    package let requests: ShareRequest
    private let master: MasterSecret
    private let clock: any WallClock
    private let permits = TimePermitShares()

    package init(master: consuming MasterSecret, credentials: AppCredentials, clock: any WallClock) {
        self.master = master
        requests = ShareRequest(credentials: credentials)
        self.clock = clock
    }

    package var url: String? { nil }

    package func serverSecretShare() -> ServerSecretShare { master.serverSecretShare() }

    package func clientSecretShare(for identity: HashedIdentity) throws -> ClientSecretShare {
        try master.clientSecretShare(for: identity)
    }

    package func timePermitShare(for identity: HashedIdentity, on day: EpochDay) throws -> TimePermitShare {
        let now = clock.now
        if let known = permits.share(for: identity, on: day, now: now) { return known }
        let share = try master.timePermitShare(for: identity, on: day)
        permits.keep(share, for: identity, on: day, now: now)
        return share
    }

    package func requireAnswer() {}

    package func requireSameHalf() {}
}
