// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import MPinClient
import PersonalCards

extension Kiosk {
    /// Reads a personal card and its holder from a code.
    ///
    /// - Returns: nil for a code that is not a card.
    func personalCard(
        in symbol: Symbol
    ) -> (reading: Result<CardHolder, PersonalCardRefusal>, card: PersonalCard?)? {
        guard symbol.payload.withBytes({ PersonalCard.isCard($0) }) else { return nil }
        do throws(PersonalCardRefusal) {
            let card = try open(symbol)
            let key = card.identity.key
            guard let domain = trust.domain(ofBackend: key.backend) else { throw .untrusted }
            let holder = CardHolder(userID: key.userID, domain: domain, ends: LocalTime.text(card.period.ends))
            return (.success(holder), card)
        } catch {
            return (.failure(error), nil)
        }
    }

    private func open(_ symbol: Symbol) throws(PersonalCardRefusal) -> PersonalCard {
        guard let cards else { throw .noFleet }
        guard symbol.parts == 1 else { throw .damaged }
        let card: PersonalCard
        do {
            card = try symbol.payload.withBytes { bytes throws(PersonalCardError) in
                try cards.card(in: bytes)
            }
        } catch {
            switch error {
            case .newerVersion: throw .newerVersion
            case .otherFleet: throw .otherFleet
            case .damaged: throw .damaged
            case .expired: throw .expired
            case .notYet: throw .notYet
            }
        }
        // A kiosk of the fleet wrote it, so unknown contents are newer.
        guard MPin.isPortable(card.identity) else { throw .newerVersion }
        // No kiosk makes a card with another name than that in the mpin_id.
        guard MPin.isNamedByItsUser(card.identity) else { throw .damaged }
        return card
    }
}

extension TrustPolicy {
    /// Host and port of a backend that the trust list covers, directly or as a target of a service.
    ///
    /// - Parameter backend: as in identities: without a scheme, perhaps with `#` and a project.
    /// - Returns: nil if no line covers it.
    fileprivate func domain(ofBackend backend: String) -> String? {
        let address = backend.prefix { $0 != "#" }
        for scheme in ["https", "http"] {
            guard let origin = (try? WebAddress("\(scheme)://\(address)"))?.origin else { continue }
            if case .allowed = check(origin, namedBy: origin) { return origin.hostAndPort }
        }
        return nil
    }
}
