// SPDX-License-Identifier: Apache-2.0

extension Backend {
    /// A public client of the OpenID provider: an application that cannot keep a secret, and proves itself with PKCE alone.
    public struct Client: Hashable, Sendable {
        /// What it calls itself.
        public var id: String
        /// Where browsers go on, compared letter for letter.
        public var redirectURI: String

        public init(id: String, redirectURI: String) {
            self.id = id
            self.redirectURI = redirectURI
        }
    }
}
