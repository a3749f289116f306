// SPDX-License-Identifier: Apache-2.0

public import KioskMachine
public import Logging
public import LoginValues
public import MPinClient

/// An operator's access to the identities of this device. The detail of every failure is logged.
public struct OperatorClient: Sendable {
    let sdk: MPin
    let trust: TrustPolicy
    let logger: Logger

    /// - Parameters:
    ///   - sdk: initialized, with the same trust list.
    ///   - trust: checks a backend before anything leaves the machine.
    public init(sdk: MPin, trust: TrustPolicy, logger: Logger) {
        self.sdk = sdk
        self.trust = trust
        self.logger = logger
    }

    /// - Parameter stage: the same failure means different things at different stages.
    func call<Result>(
        _ what: String, _ stage: KioskFailure.Stage, _ body: () async throws(MPinError) -> Result
    ) async throws(KioskFailure) -> Result {
        try await MPinStepRunner(sdk: sdk, logger: logger, stage: stage).call(what, body)
    }

    /// All identities of this device, in the order in which they were first saved.
    public func identities() async throws(KioskFailure) -> [User] {
        try await call("list", .connecting) { () throws(MPinError) in try await sdk.allUsers() }
    }

    /// The one identity that a name means.
    ///
    /// - Parameters:
    ///   - userID: case matters only between names that differ in nothing else.
    ///   - backend: its URL, or as ``identities()`` names it; nil if the user has only one.
    public func identity(of userID: String, at backend: String?) async throws(KioskFailure) -> User {
        let candidates = try await identities().filter {
            $0.identity.isSameUserID(as: userID) && (backend.map($0.isAt) ?? true)
        }
        let exact = candidates.filter { $0.identity == userID }
        let found = exact.isEmpty ? candidates : exact
        guard let user = found.first else { throw KioskFailure(.unknownUser) }
        guard found.count == 1 else { throw KioskFailure(.ambiguousUser, detail: .backends(found.map(\.key.backend))) }
        return user
    }

    /// The identity of that name at the current backend, in any state.
    func identityHere(of userID: String) async throws(KioskFailure) -> User {
        try await call("list", .connecting) { () throws(MPinError) in try await sdk.users() }
            .identity(of: userID, by: \.identity)
    }

    /// Removes an identity, its tokens and its running registration, in one step.
    public func delete(_ user: User) async throws(KioskFailure) {
        try await call("delete", .registering) { () throws(MPinError) in try await sdk.deleteUser(user) }
    }

    /// An identity in the form for a personal card.
    ///
    /// - Throws: when the identity's state forbids it.
    public func portableIdentity(of user: User) async throws(KioskFailure) -> StoredIdentity {
        try user.requireRegistered()
        return try await call("personal card", .connecting) { () throws(MPinError) in
            try await sdk.portableIdentity(of: user)
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
