// SPDX-License-Identifier: Apache-2.0

extension Backend {
    /// The mail server that takes activation mails.
    public struct Mail: Hashable, Sendable {
        /// `smtp://host:port` (TLS where offered, required with a user name) or `smtps://host:port`.
        public var url: String
        /// The address the mails come from.
        public var sender: String
        public var userName: String?
        /// A file whose first line is the password; arguments and environments can be read by others.
        public var passwordFile: String?

        public init(url: String, sender: String, userName: String? = nil, passwordFile: String? = nil) {
            self.url = url
            self.sender = sender
            self.userName = userName
            self.passwordFile = passwordFile
        }
    }
}
