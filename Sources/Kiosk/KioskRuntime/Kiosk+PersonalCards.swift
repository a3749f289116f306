// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import MPinClient
import PersonalCards

extension Kiosk {
    /// Reads the holder of a personal card from a code, and the card.
    ///
    /// - Returns: nil for a code that is none.
    func personalCard(
        in symbol: Symbol
    ) -> (reading: Result<CardHolder, PersonalCardRefusal>, card: PersonalCard?)? {
        guard symbol.payload.withBytes({ PersonalCard.isCard($0) }) else { return nil }
        do throws(PersonalCardRefusal) {
            let card = try open(symbol)
            let key = card.identity.key
            guard let place = trust.place(ofBackend: key.backend) else { throw .untrusted }
            let holder = CardHolder(userID: key.userID, place: place, ends: LocalTime.text(card.period.ends))
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
        // A kiosk of the fleet wrote it; what this one cannot read in it is newer.
        guard MPin.isPortable(card.identity) else { throw .newerVersion }
        // No kiosk makes a card for another user than its mpin_id's.
        guard MPin.isNamedByItsUser(card.identity) else { throw .damaged }
        return card
    }
}

extension TrustPolicy {
    /// Host and port of a backend that the list covers, by itself or as what a service leads to.
    ///
    /// - Parameter backend: as identities name it: without a scheme, with a project behind `#` or none.
    /// - Returns: nil where no line covers it.
    fileprivate func place(ofBackend backend: String) -> String? {
        let address = backend.prefix { $0 != "#" }
        for scheme in ["https", "http"] {
            guard let origin = (try? WebAddress("\(scheme)://\(address)"))?.origin else { continue }
            if case .allowed = judge(origin, namedBy: origin) { return origin.place }
        }
        return nil
    }
}
