// SPDX-License-Identifier: Apache-2.0

/// The keys that sign tokens: the previous, the current and the next one. OpenID Connect Core, section 10.1.1.
///
/// A new key is in the key set before it signs, so that every copy of the set has it when its first token comes. The
/// change takes place at a time, not by an action: all processes with the same keys make it together.
package struct SigningKeyRing: Sendable {
    /// The time for which a new key is shown before it signs: more than proxies and relying parties keep the set
    /// without a look, which may be five minutes by the set's own header.
    package static let announcement = Duration.seconds(3600)
    /// The time for which a replaced key is shown. No token lasts longer.
    package static let retirement = Duration.seconds(86_400)

    /// A key, and the time when it begins or ends to sign.
    package struct TimedKey: Sendable {
        package let key: SigningKey
        package let time: WallTime

        package init(_ key: SigningKey, at time: WallTime) { (self.key, self.time) = (key, time) }
    }

    /// The key that signs until ``next`` does.
    package let current: SigningKey
    /// The key that signs from its time on.
    package let next: TimedKey?
    /// The key that signed until its time.
    package let previous: TimedKey?

    package init(_ current: SigningKey, next: TimedKey? = nil, previous: TimedKey? = nil) {
        (self.current, self.next, self.previous) = (current, next, previous)
    }

    package func signing(at now: WallTime) -> SigningKey {
        if let next, next.time <= now { next.key } else { current }
    }

    /// The keys that no longer sign, but whose tokens may still be valid.
    package func retired(at now: WallTime) -> [SigningKey] {
        let replaced = next.map { TimedKey(current, at: $0.time) }
        // A key that was replaced in the future is not retired yet: the clock was wrong then, or is wrong now.
        return [replaced, previous].compactMap { $0 }
            .filter { $0.time <= now && now < $0.time + Self.retirement && $0.key.id != signing(at: now).id }
            .map(\.key)
    }

    /// The keys of the set, each once, and the signing one first.
    package func shown(at now: WallTime) -> [SigningKey] {
        var keys: [SigningKey] = []
        for key in [signing(at: now)] + (next.map { [$0.key] } ?? []) + retired(at: now)
        where !keys.contains(where: { $0.id == key.id }) { keys.append(key) }
        return keys
    }
}
