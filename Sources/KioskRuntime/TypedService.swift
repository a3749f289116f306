// SPDX-License-Identifier: Apache-2.0

import LoginValues

/// A service for which an access code may be typed by hand: a line of the trust list that names one host.
struct TypedService: Sendable {
    /// The line, as the consent screen names it.
    let name: String
    /// What a QR code of the service would have before its `#`.
    let baseURL: String

    /// The services of a trust list. A line with a wildcard names none.
    static func all(of trust: TrustPolicy) -> [TypedService] {
        trust.entries.filter { !$0.coversSubdomains }.compactMap { entry in
            let authority = entry.port == 443 ? entry.host : "\(entry.host):\(entry.port)"
            // http where a demonstration allows it: a loopback host there has no certificate.
            let candidates = ["http://\(entry.host):\(entry.port)", "https://\(authority)"]
            let baseURL = candidates.first { candidate in
                (try? WebAddress(candidate)).map { trust.allows($0.origin) } ?? false
            }
            return baseURL.map { TypedService(name: entry.description, baseURL: $0) }
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
