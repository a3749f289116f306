// SPDX-License-Identifier: Apache-2.0

public import LoginValues

extension MPin {
    /// Trusts a domain and all its subdomains, by https on port 443 only. A client without a trust policy checks every
    /// host from the first call on; a client with a policy trusts this domain as well. Replies of each added domain
    /// may name the others.
    ///
    /// - Throws: ``MPinError/Kind/misuse`` for anything but a domain of at least two labels.
    public func addTrustedDomain(_ domain: String) throws(MPinError) {
        let entries: [TrustEntry]
        do throws(TrustEntryError) { entries = [try TrustEntry(domain), try TrustEntry("*.\(domain)")] } catch {
            throw MPinError(.misuse, detail: "addTrustedDomain: \(error)")
        }
        trustedDomains += entries
        trust = with(trustedDomains)
    }

    /// Replaces the initial trust policy from the next request on, because an operator has changed it. Added domains
    /// stay. Call it between two logins: the new policy may refuse the next request of a login under way.
    public func replaceTrust(_ trust: TrustPolicy) {
        initialTrust = trust
        self.trust = trustedDomains.isEmpty ? trust : with(trustedDomains)
    }

    private func with(_ domains: [TrustEntry]) -> TrustPolicy {
        TrustPolicy(
            lines: (initialTrust?.lines ?? []) + domains.map { TrustLine($0, targets: domains) },
            allowsLoopbackHTTP: initialTrust?.allowsLoopbackHTTP ?? false)
    }

    /// Forgets the domains that ``addTrustedDomain(_:)`` added. The initial policy applies again.
    public func clearTrustedDomains() {
        trust = initialTrust
        trustedDomains = []
    }
}
