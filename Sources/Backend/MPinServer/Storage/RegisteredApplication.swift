// SPDX-License-Identifier: Apache-2.0

package import BackendValues

/// An application that an operator lets people log in to, and its credentials at the OpenID provider.
package struct RegisteredApplication: Hashable, Sendable {
    /// Applications that a backend has at most.
    package static let capacity = 100
    /// The highest number of redirect addresses of one application.
    static let maximumAddresses = 10
    static let longestName = 40
    static let longestAddress = 1000

    /// 32 hexadecimal digits, made at random.
    package let id: String
    package let name: String
    package let redirectURIs: [String]
    /// The addresses for the time after a logout.
    package let postLogoutURIs: [String]
    /// The SHA-256 digest of the secret, which has 256 random bits; nil for an application that cannot keep one.
    package var secretDigest: [UInt8]?
    package let added: WallTime

    package init(
        id: String, name: String, redirectURIs: [String], postLogoutURIs: [String] = [], secretDigest: [UInt8]? = nil,
        added: WallTime
    ) {
        self.id = id
        self.name = name
        self.redirectURIs = redirectURIs
        self.postLogoutURIs = postLogoutURIs
        self.secretDigest = secretDigest
        self.added = added
    }

    /// Whether a text has the form of an id. Texts of another form are never looked up in a database.
    package static func isID(_ text: String) -> Bool { OneTimeToken(text)?.hex == text }
}
