// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import Logging
import LoginValues
import MPinClient
import PersonalCards

// A person who shows a card is a guest: the identity is in memory during the session, and is never stored here.
extension MPinStepRunner {
    /// The identities at the current backend; with a card only its own.
    func knownIdentities() async throws(MPinError) -> [KioskIdentity] {
        // A guest is in memory, so no store has to answer.
        if let key = file.card?.identity.key {
            return try await sdk.user(byID: key.userID).map { $0.key == key ? [KioskIdentity($0)] : [] } ?? []
        }
        // A person in the middle of a verification has no identity yet, and may begin from the start.
        return try await sdk.users().filter { $0.state != .startedVerification && !$0.isGuest }.map {
            KioskIdentity($0)
        }
    }

    /// Takes the session's guest. There is one at most.
    func takeGuest() async throws(KioskFailure) {
        await sdk.dismissGuests()
        guard let card = file.card else { return }
        let times = CardTimes(issued: card.period.issued, ends: card.period.ends)
        try await call("taking a guest in") { () throws(MPinError) in
            _ = try await sdk.takeGuest(card.identity, card: times)
        }
    }

    /// Checks the card's backend before a server learns of a code that the card is not for.
    func requireGuestsBackend() async throws(KioskFailure) {
        guard file.card != nil else { return }
        let known = try await call("guest") { () throws(MPinError) in try await knownIdentities() }
        guard !known.isEmpty else {
            throw KioskFailure(.unknownUser, .cardElsewhere, status: "CARD_OF_ANOTHER_BACKEND")
        }
    }

    func dismissGuests() async { await sdk.dismissGuests() }

    func writeCard(of identity: KioskIdentity) async throws(KioskFailure) -> StepAnswer {
        guard let cards else { throw KioskFailure(.notOffered, status: Status.flowError.name) }
        let portable = try await call("personal card") { () throws(MPinError) in
            try await sdk.portableIdentity(of: try await user(identity))
        }
        guard let (text, period) = cards.card(of: portable, from: file.card?.period) else {
            logger.error("an identity is too large for a card, or could not be sealed")
            throw KioskFailure(.failed, status: "CARD_TOO_LARGE")
        }
        file.keep(issued: text, period)
        return .cardWritten(ends: LocalTime.text(period.ends))
    }
}
