// SPDX-License-Identifier: Apache-2.0

public import LoginValues

extension MPin {
    /// Lets requests go to a domain and everything below it, by https on port 443 only. A client that was made without
    /// a trust policy checks every host from the first one on; one that has a policy trusts this domain as well. All
    /// domains that were added belong together: the replies of each may name the others.
    ///
    /// - Throws: ``MPinError/Kind/misuse`` when it is no domain of two labels or more.
    public func addTrustedDomain(_ domain: String) throws(MPinError) {
        let entries: [TrustEntry]
        do throws(TrustEntryError) { entries = [try TrustEntry(domain), try TrustEntry("*.\(domain)")] } catch {
            throw MPinError(.misuse, detail: "addTrustedDomain: \(error)")
        }
        trustedDomains += entries
        trust = with(trustedDomains)
    }

    /// Takes another policy in place of the one that the client was made with, from the next request on: an operator
    /// has changed it. Domains that were added stay. To be called between two logins: a request of one that is under
    /// way is refused where the new policy does not allow it.
    public func replaceTrust(_ trust: TrustPolicy) {
        initialTrust = trust
        self.trust = trustedDomains.isEmpty ? trust : with(trustedDomains)
    }

    private func with(_ domains: [TrustEntry]) -> TrustPolicy {
        TrustPolicy(
            lines: (initialTrust?.lines ?? []) + domains.map { TrustLine($0, targets: domains) },
            allowsLoopbackHTTP: initialTrust?.allowsLoopbackHTTP ?? false)
    }

    /// Forgets the domains that ``addTrustedDomain(_:)`` added. What the client was made with counts again.
    public func clearTrustedDomains() {
        trust = initialTrust
        trustedDomains = []
    }
}
