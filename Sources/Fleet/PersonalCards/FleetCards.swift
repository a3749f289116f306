// SPDX-License-Identifier: Apache-2.0

public import LoginValues
public import MPinClient

/// The personal cards of a fleet: makes and reads them with its key, by this machine's clock.
public struct FleetCards: Sendable {
    private let key: FleetKey
    /// The lifetime of cards made here, in seconds.
    private let lifetime: Int64
    private let now: @Sendable () -> Int64

    /// - Parameters:
    ///   - lifetime: of cards made here, in seconds.
    ///   - now: seconds since 1970-01-01 UTC.
    public init(key: FleetKey, lifetime: Int64, now: @escaping @Sendable () -> Int64) {
        (self.key, self.lifetime, self.now) = (key, lifetime, now)
    }

    /// Makes a card. One made from another card does not outlast it: otherwise a copy would last for ever.
    ///
    /// - Parameter old: the card that its person used; nil for an identity of this device.
    /// - Returns: nil when the text would be longer than ``PersonalCard/maximumLength``, or OpenSSL failed.
    public func card(
        of identity: StoredIdentity, from old: CardPeriod? = nil
    ) -> (text: SecretBytes, period: CardPeriod)? {
        let issued = now()
        let ends = min(issued + lifetime, old?.ends ?? .max)
        guard let period = CardPeriod(from: issued, to: ends),
            let text = PersonalCard(identity, period).text(sealedWith: key)
        else { return nil }
        return (text, period)
    }

    /// Signature of a card that begins a task (``FleetKey/signature(ofMenuCard:)``).
    public func signature(ofMenuCard text: String) -> String? { key.signature(ofMenuCard: text) }

    /// Reads the bytes of a QR code that is a personal card.
    public func card(in symbol: Span<UInt8>) throws(PersonalCardError) -> PersonalCard {
        let card = try PersonalCard(symbol: symbol, openedWith: key)
        try card.period.require(at: now())
        return card
    }
}
