// SPDX-License-Identifier: Apache-2.0

extension Backend {
    /// Where a running backend is reached.
    public struct Addresses: Sendable {
        /// The origin in QR codes and settings, without a trailing slash.
        public let publicURL: String
        /// The port that the public listener is bound to.
        public let publicPort: Int
        /// The outbox of activation mails on the private listener, e.g. `http://127.0.0.1:40001/outbox`.
        public let outboxURL: String
        /// The value of the `Authorization` header that the outbox wants: HTTP Basic, new at every start. A secret.
        public let outboxAuthorization: String
    }
}
