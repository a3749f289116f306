// SPDX-License-Identifier: Apache-2.0

extension MPin {
    /// What the client says about itself in every request's headers (milagro protocol, section 3).
    public struct Configuration: Sendable {
        /// Company or customer id: `X-MIRACL-CID`, and on the milagro dialect `X-MIRACL-Client-ID` too. Nil sends none.
        public var companyID: String?
        /// The version in `X-MIRACL-CLIENT: login-kiosk/<version>`; a service may refuse old ones.
        public var clientVersion: String
        /// `X-MIRACL-OS-Class`.
        public var osClass: String
        /// Sent with every request, before those of ``MPin/initialize(customHeaders:)``; one of these wins over a header
        /// of the same name that the SDK would send.
        public var customHeaders: [HTTPHeader]

        public init(
            companyID: String? = nil, clientVersion: String, osClass: String = "linux", customHeaders: [HTTPHeader] = []
        ) {
            self.companyID = companyID
            self.clientVersion = clientVersion
            self.osClass = osClass
            self.customHeaders = customHeaders
        }
    }
}
