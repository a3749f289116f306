// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import CurlTransport
import HostIntegration

extension KioskConfiguration {
    /// The network settings for the transport.
    var transport: CurlHTTPTransport.Configuration {
        CurlHTTPTransport.Configuration(
            authorityFile: text("network.ca-file"), addressPolicy: AddressPolicy(networks: allowedNetworks ?? []))
    }

    /// The networks of `network.allowed-addresses`; nil if a part of it is invalid.
    var allowedNetworks: [AddressNetwork]? {
        let parts = (text("network.allowed-addresses") ?? "").split { $0 == " " || $0 == "," }.map(String.init)
        let networks = parts.compactMap(AddressNetwork.init)
        return networks.count == parts.count ? networks : nil
    }

    /// Checks the certificate authorities like a setting, also if an option names them: the TLS library would find a
    /// mistake only at the first login.
    func requireAuthorities() throws {
        guard let file = text("network.ca-file") else { return }
        do throws(AuthorityFile.Problem) { try AuthorityFile.check(file) } catch {
            throw Complaint.make("\(file) \(error)", status: .configuration)
        }
    }
}
