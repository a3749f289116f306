// SPDX-License-Identifier: Apache-2.0

private import Glibc

extension CurlHTTPTransport {
    /// The settings of a transport, which apply to all its requests.
    public struct Configuration: Sendable {
        /// PEM file of the certificate authorities that are trusted instead of the system's; nil for the system's.
        public var authorityFile: String?
        /// The addresses to which the transport connects.
        public var addressPolicy: AddressPolicy
        /// The `User-Agent` of every request; nil sends none.
        public var userAgent: String?

        /// Makes settings of which each is optional. ``CurlHTTPTransport/init(_:)`` checks them.
        ///
        /// - Parameters:
        ///   - authorityFile: path of a PEM file of certificate authorities; nil, the default, takes the system's.
        ///   - addressPolicy: by default public and private addresses are allowed.
        ///   - userAgent: the `User-Agent` of every request; nil, the default, sends none.
        public init(
            authorityFile: String? = nil, addressPolicy: AddressPolicy = AddressPolicy(), userAgent: String? = nil
        ) {
            self.authorityFile = authorityFile
            self.addressPolicy = addressPolicy
            self.userAgent = userAgent
        }

        /// Early, so that a wrong path is a start-up error and not a failed login.
        func check() throws(CurlSetupError) {
            // Safe: the call reads the path while it lasts.
            if let authorityFile, unsafe access(authorityFile, R_OK) != 0 {
                throw CurlSetupError(
                    "the file of certificate authorities \(authorityFile) cannot be read: give the path of a PEM file")
            }
        }
    }
}
