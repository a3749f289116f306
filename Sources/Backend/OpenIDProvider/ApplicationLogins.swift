// SPDX-License-Identifier: Apache-2.0

package import BackendValues

/// Logins of applications on devices. Each has a code that is valid once. docs/protocol/miracl.md, section 9.4.
package struct ApplicationLogins: Sendable {
    struct Login: Codable, Sendable {
        let userID: String
        /// The session of the authorization URL; nil for a login without one.
        let accessCode: String?
        let time: WallTime
    }

    private let logins: any VolatileTable<OneTimeToken, Login>

    package init(_ name: String, in storage: any VolatileStorage) {
        logins = storage.table(name, bounds: .ofPeople)
    }

    package var table: any VolatileTable { logins }

    /// Stores the login of a person on a device.
    /// - Parameter accessCode: the session of an authorization URL.
    /// - Returns: the code with which the application's server learns of it.
    package func code(for userID: String, accessCode: String?, now: WallTime) async throws -> OneTimeToken {
        let code = try OneTimeToken.random()
        try await logins.insert(
            Login(userID: userID, accessCode: accessCode, time: now), for: code, of: .person(userID),
            expires: now + AuthorizationGrant.lifetime, now: now)
        return code
    }

    func login(of code: OneTimeToken, now: WallTime) async throws -> Login? {
        try await logins.value(for: code, now: now)
    }

    func take(_ code: OneTimeToken, now: WallTime) async throws -> Login? { try await logins.take(code, now: now) }
}
