// SPDX-License-Identifier: Apache-2.0

import LoginValues

extension MPin {
    /// Makes a new identity of the current backend, or of the backend that is current when its registration starts.
    /// It is not stored yet.
    ///
    /// - Parameters:
    ///   - identity: usually an e-mail address; a registration takes 1 to 256 bytes of UTF-8.
    ///   - deviceName: the name that the person's account shows for this device, at most 256 bytes; by default none.
    public func makeNewUser(_ identity: String, deviceName: String = "") -> User {
        User(
            key: IdentityKey(userID: identity, backend: backend?.key.text ?? ""), state: .invalid,
            deviceName: deviceName)
    }

    /// The identities of the current backend, in the order in which they were first saved.
    public func users() async throws(MPinError) -> [User] {
        let key = try requireBackend("users").key
        await forgetOverdue()
        return users { BackendKey($0.backend) == key }
    }

    /// The identities of all backends.
    public func allUsers() throws(MPinError) -> [User] {
        try requireInitialized("allUsers")
        return users { _ in true }
    }

    /// The identities of one backend, not only the current one, in all its projects.
    ///
    /// - Parameter backend: its URL, or one of ``backends()``.
    public func users(ofBackend backend: String) throws(MPinError) -> [User] {
        try requireInitialized("users")
        let url = (try? WebAddress(backend)).map { BackendKey($0).url } ?? backend
        return users { BackendKey($0.backend).url == url }
    }

    /// The backends of all identities, without scheme and trailing slash, in the order in which they were first saved.
    public func backends() throws(MPinError) -> [String] {
        try requireInitialized("backends")
        var seen: Set<String> = []
        return identities.keys.map { BackendKey($0.backend).url }.filter { seen.insert($0).inserted }
    }

    /// A fresh snapshot; nil when there is no such identity.
    public func user(_ key: IdentityKey) async throws(MPinError) -> User? {
        try requireInitialized("user")
        return snapshot(of: key)
    }

    /// Whether the current backend has such an identity for this customer and application.
    ///
    /// - Parameters:
    ///   - customerID: nil matches any.
    ///   - appID: nil matches any.
    /// - Throws: ``MPinError/Kind/misuse`` when no backend is set.
    public func isUserExisting(
        _ identity: String, customerID: String? = nil, appID: String? = nil
    ) throws(MPinError) -> Bool {
        let key = IdentityKey(userID: identity, backend: try requireBackend("isUserExisting").key.text)
        guard let user = snapshot(of: key) else { return false }
        return customerID ?? user.customerID == user.customerID && appID ?? user.appID == user.appID
    }

    /// The identity of that name at the current backend; without a current backend, the identity that was saved first.
    ///
    /// - Returns: nil when there is none.
    public func user(byID identity: String) throws(MPinError) -> User? {
        try requireInitialized("user")
        if let backend { return snapshot(of: IdentityKey(userID: identity, backend: backend.key.text)) }
        return users { $0.userID.utf8.elementsEqual(identity.utf8) }.first
    }

    /// Removes every identity of every backend, with tokens and running registrations. Ask the person first.
    ///
    /// - Throws: ``MPinError/Kind/storage(_:)`` at the first one that could not be removed; it and later ones remain.
    public func clearUsers() async throws(MPinError) {
        // Guests hide stored identities, which must go too.
        dismissGuests()
        for user in try allUsers() { try await deleteUser(user) }
    }

    /// Removes an identity, its token and its running registration. An unknown identity is not an error. For a guest
    /// nothing stored is removed.
    ///
    /// - Throws: ``MPinError/Kind/storage(_:)``; the identity then remains.
    public func deleteUser(_ user: User) async throws(MPinError) {
        try requireInitialized("deleteUser")
        guard snapshot(of: user.key) != nil else { return }
        try begin("deleteUser", on: user.key)
        defer { end(user.key) }
        guard guests[user.key] == nil else { return dismiss(user.key) }
        guard identities[user.key] != nil else { return work[user.key].forgetIdentity() }
        do {
            try await withoutCancellation { [storage] () throws(IdentityStorageError) in
                try await storage.remove(user.key)
            }
        } catch { throw MPinError(error, doing: "deleting an identity") }
        identities[user.key] = nil
        work[user.key].forgetIdentity()
    }

    private func users(where isWanted: (IdentityKey) -> Bool) -> [User] {
        let pending = work.keysOfPendingRegistrations.filter { identities[$0] == nil }.sorted { $0.userID < $1.userID }
        return (identities.keys + pending).filter(isWanted).compactMap { snapshot(of: $0) }
    }
}
