// SPDX-License-Identifier: Apache-2.0

import CPsl
public import LoginValues

/// The domains below which anybody can register names, such as `co.uk` and `github.io`, by the Public Suffix List
/// (publicsuffix.org) of libpsl, which libcurl links as well.
public enum PublicSuffix {
    /// The entries of a trust list that would trust anybody's hosts: `*.co.uk`.
    public static func wildcards(in services: [TrustLine]) -> [TrustEntry] {
        var found: [TrustEntry] = []
        for entry in services.flatMap({ [$0.entry] + $0.targets })
        where entry.coversSubdomains && contains(entry.host) && !found.contains(entry) { found.append(entry) }
        return found
    }

    /// - Parameter domain: in lower case, as in a ``TrustEntry``.
    public static func contains(_ domain: String) -> Bool {
        // Safe: the list is freed here, and the name is lent for the call.
        guard let list = unsafe psl_latest(nil) else { return false }
        defer { unsafe psl_free(list) }
        return unsafe psl_is_public_suffix2(list, domain, login_kiosk_psl_listed) == 1
    }
}
