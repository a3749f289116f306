// SPDX-License-Identifier: Apache-2.0

extension Backend {
    /// PEM files of the public listener.
    public struct TLS: Hashable, Sendable {
        /// The certificate, followed by those that vouch for it.
        public var certificateChainFile: String
        public var privateKeyFile: String

        public init(certificateChainFile: String, privateKeyFile: String) {
            self.certificateChainFile = certificateChainFile
            self.privateKeyFile = privateKeyFile
        }
    }
}
