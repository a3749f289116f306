// SPDX-License-Identifier: Apache-2.0

import LoginValues

extension MPin {
    /// Lets requests go to a domain and everything below it, by https on port 443 only. A client that was made without a
    /// trust policy checks every host from the first one on; one that has a policy trusts this domain as well. All
    /// domains that were added belong together: the replies of each may name the others.
    ///
    /// - Throws: ``Status/flowError`` when it is no domain of two labels or more.
    public func addTrustedDomain(_ domain: String) throws(MPinError) {
        let entries: [TrustEntry]
        do throws(TrustEntryError) { entries = [try TrustEntry(domain), try TrustEntry("*.\(domain)")] } catch {
            throw MPinError(status: .flowError, detail: "addTrustedDomain: \(error)")
        }
        trustedDomains += entries
        trust = TrustPolicy(
            lines: (initialTrust?.lines ?? []) + trustedDomains.map { TrustLine($0, targets: trustedDomains) },
            allowsLoopbackHTTP: initialTrust?.allowsLoopbackHTTP ?? false)
    }

    /// Forgets the domains that ``addTrustedDomain(_:)`` added. What the client was made with counts again.
    public func clearTrustedDomains() {
        trust = initialTrust
        trustedDomains = []
    }
}
