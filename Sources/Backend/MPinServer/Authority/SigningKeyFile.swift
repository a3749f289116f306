// SPDX-License-Identifier: Apache-2.0

/// Files of the state directory with the keys that sign tokens: `signing-key`, and `signing-key.previous` with the
/// previous key and the time of its replacement.
package struct SigningKeyFiles {
    private let path: String
    private var previousPath: String { path + ".previous" }

    package init(state: StateDirectory) { path = state.file("signing-key") }

    /// Reads the key, or creates it at the first start.
    /// - Throws: `BackendError.file`, `.cryptographyFailed`.
    package func current() throws(BackendError) -> SigningKey {
        if try StateDirectory.read(path) == nil {
            var made = try SigningKey.make()
            defer { wipe(&made) }
            try StateDirectory.create(path, content: made)
        }
        guard var content = try StateDirectory.read(path) else { throw .file(path: path, reason: "vanished") }
        defer { wipe(&content) }
        return try key(content, path)
    }

    /// The previous key, however old; nil when there was none.
    /// - Throws: `BackendError.file`.
    package func previous() throws(BackendError) -> RetiredKey? {
        guard var content = try StateDirectory.read(previousPath) else { return nil }
        defer { wipe(&content) }
        guard let end = content.firstIndex(of: UInt8(ascii: "\n")),
            let seconds = Int64(String(decoding: content[..<end], as: UTF8.self))
        else { throw .file(path: previousPath, reason: "does not begin with a time") }
        var rest = Array(content[(end + 1)...])
        defer { wipe(&rest) }
        return RetiredKey(try key(rest, previousPath), retired: WallTime(seconds: seconds))
    }

    /// Replaces the key, and keeps the present one as the previous one. After a kill in between, both files hold the
    /// present key, which counts once.
    /// - Throws: `BackendError.file`, `.cryptographyFailed`.
    package func renew(now: WallTime) throws(BackendError) {
        _ = try current()
        guard var content = try StateDirectory.read(path) else { throw .file(path: path, reason: "vanished") }
        defer { wipe(&content) }
        var kept = Array("\(now.seconds)\n".utf8) + content
        defer { wipe(&kept) }
        var made = try SigningKey.make()
        defer { wipe(&made) }
        try StateDirectory.replace(previousPath, content: kept)
        try StateDirectory.replace(path, content: made)
    }

    /// Deletes the previous key, so that its tokens no longer count.
    /// - Throws: `BackendError.file`.
    func dropPrevious() throws(BackendError) { try StateDirectory.remove(previousPath) }

    private func key(_ content: [UInt8], _ path: String) throws(BackendError) -> SigningKey {
        guard let key = SigningKey(content) else {
            throw .file(path: path, reason: "not an RSA key of 2048 bits or more, which tokens are signed with")
        }
        return key
    }
}

extension BackendState {
    /// The names of the keys that sign tokens, as relying parties see them.
    package struct SigningKeys: Sendable {
        package let current: String
        /// The previous key, as long as the key set shows it.
        package let previous: String?
    }

    /// Reads or changes the signing keys in a state directory. A running backend uses the new key after its next
    /// start.
    /// - Parameters:
    ///   - isRenewed: whether a new key replaces the present one first.
    ///   - isDropped: whether the previous key is deleted, because it was stolen.
    /// - Throws: `BackendError.file`, `.exposedFile`, `.cryptographyFailed`.
    package static func signingKeys(
        inDirectory directory: String, renewing isRenewed: Bool, droppingPrevious isDropped: Bool
    ) throws(BackendError) -> SigningKeys {
        let (files, now) = (SigningKeyFiles(state: try StateDirectory(path: directory)), SystemWallClock().now)
        if isRenewed { try files.renew(now: now) }
        if isDropped { try files.dropPrevious() }
        let (current, previous) = (try files.current(), try files.previous())
        return SigningKeys(
            current: current.id,
            previous: previous.flatMap { $0.isShown(at: now) && $0.key.id != current.id ? $0.key.id : nil })
    }
}
