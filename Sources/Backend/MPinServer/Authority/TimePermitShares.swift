// SPDX-License-Identifier: Apache-2.0

package import BackendValues
package import MPinCrypto
import Synchronization

/// Cached time permit shares of one D-TA. A share is the same all day, and every login asks for it.
package final class TimePermitShares: Sendable {
    private struct PermitDay: Hashable { let identity: HashedIdentity, day: EpochDay }

    /// A day, and the hour for which yesterday's permit stays valid.
    private static let lifetime = Duration.seconds(25 * 3600)

    private let known = Mutex(ExpiringTable<PermitDay, TimePermitShare>(capacity: 4096))

    package init() {}

    package func share(for identity: HashedIdentity, on day: EpochDay, now: WallTime) -> TimePermitShare? {
        known.withLock { $0.value(for: PermitDay(identity: identity, day: day), now: now) }
    }

    package func keep(_ share: TimePermitShare, for identity: HashedIdentity, on day: EpochDay, now: WallTime) {
        known.withLock {
            $0.insert(share, for: PermitDay(identity: identity, day: day), expires: now + Self.lifetime, now: now)
        }
    }
}
