// SPDX-License-Identifier: Apache-2.0

import LoginValues

/// A service for typed access codes and for tasks: a line of the trust list that names one host.
struct TypedService: Sendable {
    /// The line, as the consent screen names it.
    let name: String
    /// The URL before the `#` in a QR code of the service.
    let baseURL: String
    let address: WebAddress

    /// The services of a trust list. Lines with a wildcard are left out.
    static func all(of trust: TrustPolicy) -> [TypedService] {
        trust.entries.filter { !$0.coversSubdomains }.compactMap { entry in
            let authority = entry.port == 443 ? entry.host : "\(entry.host):\(entry.port)"
            // http if a demonstration allows it: a loopback host there has no certificate.
            let candidates = ["http://\(entry.host):\(entry.port)", "https://\(authority)"]
            for baseURL in candidates {
                guard let address = try? WebAddress(baseURL), trust.allows(address.origin) else { continue }
                return TypedService(name: entry.description, baseURL: baseURL, address: address)
            }
            return nil
        }
    }

    /// The bytes of the QR code that the service would show for this access code.
    func symbol(accessCode: SecretBytes) -> SecretBytes {
        let start = Array((baseURL + "#").utf8)
        return accessCode.withBytes { code in
            SecretBytes(count: start.count + code.count) { bytes in
                for index in start.indices { bytes[index] = start[index] }
                for index in code.indices { bytes[start.count + index] = code[index] }
            }
        }
    }
}
