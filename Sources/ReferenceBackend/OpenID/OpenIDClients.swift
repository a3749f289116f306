// SPDX-License-Identifier: Apache-2.0

/// An application that lets its users log in at one of this backend's places.
struct OpenIDClient: Sendable {
    let id: String
    /// Compared letter for letter.
    let redirectURIs: [String]
    /// Nil for a public client, which cannot keep a secret.
    let credentials: RelyingPartyCredentials?
}

/// The clients that an operator has registered.
struct ClientRegistration: Sendable {
    /// Of relying parties that have the state directory's credentials.
    var redirectURIs: [String] = []
    var publicClients: [OpenIDClient] = []
}

/// Where devices log their users in to applications.
protocol ApplicationGate: Sendable {
    /// Opens the session of an authorization URL.
    /// - Parameter userID: whom the application expects; empty for any user.
    func openSession(expecting userID: String) async throws -> OpenedSession
    /// The login that a code stands for, once.
    func takeApplicationLogin(_ code: OneTimeToken) async throws -> ApplicationLogin?
}

/// A login of an application on a device, which a code stands for. MIRACL protocol, section 9.4.
struct ApplicationLogin: Codable, Sendable {
    let userID: String
    /// The session of the authorization URL that it was for; nil for a login without one.
    let accessCode: String?
    let time: WallTime
}
