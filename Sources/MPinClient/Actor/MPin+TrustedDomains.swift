// SPDX-License-Identifier: Apache-2.0

import LoginValues

extension MPin {
    /// Lets requests go to a domain and everything below it, by https on port 443 only, and lets these hosts name each other. A client that was made without a
    /// trust policy checks every host from the first one on; one that has a policy trusts this domain as well.
    ///
    /// - Throws: ``Status/flowError`` when it is no domain of two labels or more.
    public func addTrustedDomain(_ domain: String) throws(MPinError) {
        let (own, below): (TrustEntry, TrustEntry)
        do throws(TrustEntryError) { (own, below) = (try TrustEntry(domain), try TrustEntry("*.\(domain)")) } catch {
            throw MPinError(status: .flowError, detail: "addTrustedDomain: \(error)")
        }
        trust = TrustPolicy(
            lines: (trust?.lines ?? []) + [TrustLine(own, targets: [below]), TrustLine(below, targets: [own])],
            allowsLoopbackHTTP: trust?.allowsLoopbackHTTP ?? false)
    }

    /// Forgets the domains that ``addTrustedDomain(_:)`` added. What the client was made with counts again.
    public func clearTrustedDomains() { trust = initialTrust }
}
