// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
public import MPinClient

extension OperatorClient {
    /// All identities of this device, in the order in which they were first saved.
    public func identities() async throws(CommandFailure) -> [User] {
        try await call("list", .connecting) { () throws(MPinError) in try await sdk.allUsers() }
    }

    /// The one identity that a name means.
    ///
    /// - Parameters:
    ///   - userID: case matters only between names that differ in nothing else.
    ///   - backend: its URL, or as ``identities()`` names it; nil if the user has only one.
    public func identity(of userID: String, at backend: String?) async throws(CommandFailure) -> User {
        let candidates = try await identities().filter {
            $0.identity.isSameUserID(as: userID) && (backend.map($0.isAt) ?? true)
        }
        let exact = candidates.filter { $0.identity == userID }
        let found = exact.isEmpty ? candidates : exact
        guard let user = found.first else { throw CommandFailure(.unknownUser) }
        guard found.count == 1 else { throw CommandFailure(.ambiguousUser, .backends(found.map(\.key.backend))) }
        return user
    }

    /// The identity of that name at the current backend.
    public func identityHere(of userID: String) async throws(CommandFailure) -> User {
        let users = try await call("list", .connecting) { () throws(MPinError) in try await sdk.users() }
        let candidates = users.filter { $0.identity.isSameUserID(as: userID) }
        guard let user = candidates.first(where: { $0.identity == userID }) ?? candidates.first else {
            throw CommandFailure(.unknownUser)
        }
        return user
    }

    /// Removes an identity, its tokens and its running registration, in one step.
    public func delete(_ user: User) async throws(CommandFailure) {
        try await call("delete", .registering) { () throws(MPinError) in try await sdk.deleteUser(user) }
    }

    /// - Throws: when the identity's state forbids a login.
    func requireRegistered(_ user: User) throws(CommandFailure) {
        switch user.state {
        case .registered: break
        case .blocked: throw CommandFailure(.blocked)
        case .startedVerification, .startedRegistration, .activated: throw CommandFailure(.unfinished)
        case .invalid: throw CommandFailure(.unknownUser)
        }
    }
}

extension User {
    /// - Parameter text: a URL, or a backend as its identities name it, with or without the project.
    fileprivate func isAt(_ text: String) -> Bool {
        if text == key.backend || text == backend { return true }
        guard let address = (try? WebAddress(text))?.base else { return false }
        return "\(address.origin.scheme.rawValue)://\(backend)" == address.absoluteText
    }
}
