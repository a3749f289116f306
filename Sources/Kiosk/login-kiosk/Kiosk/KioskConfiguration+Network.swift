// SPDX-License-Identifier: Apache-2.0

import CurlTransport
import HostIntegration

extension KioskConfiguration {
    /// The network settings for the transport.
    var transport: CurlHTTPTransport.Configuration {
        CurlHTTPTransport.Configuration(
            authorityFile: self[\.network.authorityFile],
            addressPolicy: AddressPolicy(networks: self[\.network.allowedAddresses] ?? []))
    }
}
