// SPDX-License-Identifier: Apache-2.0

package import BackendValues

/// Logins of applications on devices, each behind a code that counts once. MIRACL protocol, section 9.4.
package struct ApplicationLogins: Sendable {
    struct Login: Codable, Sendable {
        let userID: String
        /// The session of the authorization URL that it was for; nil for a login without one.
        let accessCode: String?
        let time: WallTime
    }

    /// Of its table.
    package let name: String
    private let logins: any VolatileTable<OneTimeToken, Login>

    package init(_ name: String, in storage: any VolatileStorage) {
        self.name = name
        logins = storage.table(name, bounds: .ofPeople)
    }

    /// A person has logged in on a device.
    /// - Parameter accessCode: of the session of an authorization URL.
    /// - Returns: what the application's server learns it with.
    package func code(for userID: String, accessCode: String?, now: WallTime) async throws -> OneTimeToken {
        let code = try OneTimeToken.random()
        try await logins.insert(
            Login(userID: userID, accessCode: accessCode, time: now), for: code, of: .person(userID),
            expires: now + AuthorizationGrant.lifetime, now: now)
        return code
    }

    func take(_ code: OneTimeToken, now: WallTime) async throws -> Login? { try await logins.take(code, now: now) }
}
