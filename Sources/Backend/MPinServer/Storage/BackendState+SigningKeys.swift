// SPDX-License-Identifier: Apache-2.0

package import BackendValues

extension BackendState {
    /// The names of the keys that sign tokens, as relying parties see them.
    package struct SigningKeys: Sendable {
        package let current: String
        /// The key that signs later, and the time from which it does, as `YYYY-MM-DDTHH:MM:SSZ`.
        package let next: (id: String, time: String)?
        /// The previous keys, as long as the key set shows them.
        package let previous: [String]

        init(_ ring: SigningKeyRing, now: WallTime) {
            current = ring.signing(at: now).id
            next = ring.next.flatMap { $0.time > now ? ($0.key.id, $0.time.zonedText) : nil }
            previous = ring.retired(at: now).map(\.id)
        }
    }

    /// Reads or changes the signing keys in a state directory. A running backend follows within seconds.
    /// - Parameters:
    ///   - isRenewed: whether a new key is made first.
    ///   - isDropped: whether the keys that no longer sign are deleted. With a new key these are all others, and it signs
    ///     at once.
    /// - Throws: `BackendError.file`, `.exposedFile`, `.cryptographyFailed`.
    package static func signingKeys(
        inDirectory directory: String, renewing isRenewed: Bool, droppingPrevious isDropped: Bool,
        clock: any WallClock = SystemWallClock()
    ) throws(BackendError) -> SigningKeys {
        let (files, now) = (SigningKeyFiles(state: try StateDirectory(path: directory)), clock.now)
        _ = try files.ringOrFirst()
        switch (isRenewed, isDropped) {
        case (true, true): try files.replaceAll()
        case (true, false): try files.renew(now: now)
        case (false, true): try files.dropPrevious(now: now)
        case (false, false): break
        }
        return SigningKeys(try files.ring(), now: now)
    }
}
