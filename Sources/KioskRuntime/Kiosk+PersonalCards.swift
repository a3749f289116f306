// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import MPinClient
import PersonalCards

extension Kiosk {
    /// Whose personal card a code is, and the identity.
    ///
    /// - Returns: nil for a code that is none.
    func personalCard(
        in symbol: Symbol
    ) -> (reading: Result<CardHolder, PersonalCardRefusal>, identity: StoredIdentity?)? {
        guard symbol.payload.withBytes({ PersonalCard.isCard($0) }) else { return nil }
        do throws(PersonalCardRefusal) {
            let identity = try open(symbol)
            guard let place = trust.place(ofBackend: identity.key.backend) else { throw .untrusted }
            return (.success(CardHolder(userID: identity.key.userID, place: place)), identity)
        } catch {
            return (.failure(error), nil)
        }
    }

    private func open(_ symbol: Symbol) throws(PersonalCardRefusal) -> StoredIdentity {
        guard let fleet else { throw .noFleet }
        guard symbol.parts == 1 else { throw .damaged }
        let card: PersonalCard
        do {
            card = try symbol.payload.withBytes { bytes throws(PersonalCardError) in
                try PersonalCard(symbol: bytes, openedWith: fleet)
            }
        } catch {
            switch error {
            case .newerVersion: throw .newerVersion
            case .otherFleet: throw .otherFleet
            case .damaged: throw .damaged
            }
        }
        // A kiosk of the fleet wrote it; what this one cannot read in it is newer.
        guard MPin.isPortable(card.identity) else { throw .newerVersion }
        return card.identity
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
