// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

/// A D-TA in this process. It holds half of the master secret.
final class TrustedAuthority: Authority {
    let requests: ShareRequest
    private let master: MasterSecret
    private let clock: any WallClock
    private let permits = TimePermitShares()

    init(master: consuming MasterSecret, credentials: AppCredentials, clock: any WallClock) {
        self.master = master
        requests = ShareRequest(credentials: credentials)
        self.clock = clock
    }

    var url: String? { nil }

    func serverSecretShare() -> ServerSecretShare { master.serverSecretShare() }

    func clientSecretShare(for identity: HashedIdentity) throws -> ClientSecretShare {
        try master.clientSecretShare(for: identity)
    }

    func timePermitShare(for identity: HashedIdentity, on day: EpochDay) throws -> TimePermitShare {
        let now = clock.now
        if let known = permits.share(for: identity, on: day, now: now) { return known }
        let share = try master.timePermitShare(for: identity, on: day)
        permits.keep(share, for: identity, on: day, now: now)
        return share
    }

    func requireAnswer() {}

    func requireSameHalf() {}
}
