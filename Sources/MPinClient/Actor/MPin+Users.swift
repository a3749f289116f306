// SPDX-License-Identifier: Apache-2.0

import LoginValues

extension MPin {
    /// A new identity of the current backend, or of the one that will be set when its registration starts. Nothing is
    /// stored yet.
    public func makeNewUser(_ identity: String, deviceName: String = "") -> User {
        User(
            key: IdentityKey(userID: identity, backend: backend?.key ?? ""), state: .invalid, deviceName: deviceName,
            registrationExpires: nil, pinLength: nil)
    }

    /// The identities of the current backend, in the order in which they were first saved.
    public func users() async throws(MPinError) -> [User] {
        users(withBackendKey: try requireBackend("users").key)
    }

    /// The identities of all backends.
    public func allUsers() async throws(MPinError) -> [User] {
        try requireInitialized("allUsers")
        return identities.keys.compactMap { identities.user($0) }
    }

    /// The identities of one backend, which need not be the current one.
    ///
    /// - Parameter backend: its URL, or one of ``backends()``.
    public func users(ofBackend backend: String) async throws(MPinError) -> [User] {
        try requireInitialized("users")
        let key = (try? WebAddress(backend)).map(BackendSession.key) ?? backend
        return users(withBackendKey: key)
    }

    /// The backends of all identities, without scheme and trailing slash, in the order in which they were first saved.
    public func backends() async throws(MPinError) -> [String] {
        try requireInitialized("backends")
        var seen: Set<String> = []
        return identities.keys.map(\.backend).filter { seen.insert($0).inserted }
    }

    /// A fresh snapshot; nil when there is no such identity.
    public func user(_ key: IdentityKey) async throws(MPinError) -> User? {
        try requireInitialized("user")
        return identities.user(key)
    }

    /// Removes an identity, its token and its running registration. An unknown one is no error.
    ///
    /// - Throws: ``Status/storageError``; the identity then still is there.
    public func deleteUser(_ user: User) async throws(MPinError) {
        try requireInitialized("deleteUser")
        guard identities[user.key] != nil else { return }
        try begin("deleteUser", on: user.key)
        defer { end(user.key) }
        do {
            try await withoutCancellation { [storage] () throws(IdentityStorageError) in
                try await storage.remove(user.key)
            }
        } catch {
            throw MPinError(error, doing: "deleting \(user.identity)")
        }
        identities[user.key] = nil
        dropSecrets(of: user.key)
    }

    private func users(withBackendKey backend: String) -> [User] {
        identities.keys.filter { $0.backend == backend }.compactMap { identities.user($0) }
    }
}
