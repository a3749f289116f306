// SPDX-License-Identifier: Apache-2.0

package import OpenIDProvider

/// Logins of devices to applications.
package protocol ApplicationGate: Sendable {
    var applicationLogins: ApplicationLogins { get }
    /// Opens the session of an authorization URL.
    /// - Parameters:
    ///   - userID: the user that the application expects; empty for any user.
    ///   - application: its name for the device; nil for the endpoint's own web site.
    func openSession(expecting userID: String, for application: String?) async throws -> OpenedSession
}
