// SPDX-License-Identifier: Apache-2.0

public import LoginValues

extension MPin {
    /// The client's description of itself, sent in the headers of every request (docs/protocol/milagro.md, section 3).
    public struct Configuration: Sendable {
        /// Company, customer or project id: `X-MIRACL-CID`, and on the milagro dialect `X-MIRACL-Client-ID` too. Nil
        /// sends none and accepts any project that a backend of today's platform names.
        public var companyID: String?
        /// The version in `X-MIRACL-CLIENT: login-kiosk/<version>`; a service may refuse old ones.
        public var clientVersion: String
        /// `X-MIRACL-OS-Class`.
        public var osClass: String
        /// Sent with every request, before those of ``MPin/initialize(customHeaders:)``. They override the SDK's own
        /// headers of the same name.
        public var customHeaders: [HTTPHeader]
        /// Known dialects of backends by their hosts, which are then not discovered.
        public var pinnedDialects: [String: DialectName]
        /// The address of today's platform for codes whose hosts describe nothing; nil disables it.
        public var platform: Platform?
        /// 32 hexadecimal digits that let today's platform recognise a device, made at random once for each
        /// installation and kept by the caller. Nil sends none.
        public var deviceTag: String?

        /// Makes a description. Headers that cannot be sent are ``MPinError/Kind/misuse`` of
        /// ``MPin/initialize(customHeaders:)``.
        ///
        /// - Parameters:
        ///   - companyID: company, customer or project id; nil, the default, sends none.
        ///   - clientVersion: the program's version, for example `1.0`.
        ///   - osClass: `X-MIRACL-OS-Class`; by default `linux`.
        ///   - customHeaders: sent with every request; by default none.
        ///   - pinnedDialects: dialects by the backends' hosts, in lower case and without port; by default each is
        ///     discovered.
        ///   - platform: today's platform for codes whose hosts describe nothing; nil, the default, disables it.
        ///   - deviceTag: 32 hexadecimal digits; nil, the default, sends none.
        public init(
            companyID: String? = nil, clientVersion: String, osClass: String = "linux",
            customHeaders: [HTTPHeader] = [],
            pinnedDialects: [String: DialectName] = [:], platform: Platform? = nil, deviceTag: String? = nil
        ) {
            self.companyID = companyID
            self.clientVersion = clientVersion
            self.osClass = osClass
            self.customHeaders = customHeaders
            self.pinnedDialects = pinnedDialects
            self.platform = platform
            self.deviceTag = deviceTag
        }

        func pinnedDialect(of url: WebAddress) -> DialectName? { pinnedDialects[url.origin.host] }
    }

    /// Today's platform, for codes whose host has neither a service document nor a project of its own
    /// (docs/protocol/miracl.md, section 16). The project is the configured company id.
    public struct Platform: Sendable, Hashable {
        /// The project's address, which answers all requests.
        public var projectURL: WebAddress
        /// The hosts whose codes belong to it.
        public var scannedHosts: [TrustEntry]

        /// Makes a platform. Its hosts have to be on the trust list, too.
        ///
        /// - Parameters:
        ///   - projectURL: the project's address, which answers all requests.
        ///   - scannedHosts: the hosts whose codes belong to it.
        public init(projectURL: WebAddress, scannedHosts: [TrustEntry]) {
            self.projectURL = projectURL
            self.scannedHosts = scannedHosts
        }
    }
}
