// SPDX-License-Identifier: Apache-2.0

package import BackendValues

/// The validity of a personal card, as reported by the kiosk that read the card.
package struct StoredCard: Sendable, Hashable {
    /// The longest validity of a kiosk's card.
    private static let longest = Duration.seconds(3650 * 86_400)
    /// The longest validity of a temporary card.
    private static let longestTemporary = Duration.seconds(720 * 3600)
    /// The accepted difference of two clocks.
    private static let tolerance = Duration.seconds(86_400)

    package let issued: WallTime
    package let ends: WallTime

    package init(issued: WallTime, ends: WallTime) {
        self.issued = issued
        self.ends = ends
    }

    var isTemporary: Bool { ends - issued <= Self.longestTemporary }

    /// Whether a card with these times can be in use now.
    func isPossible(at now: WallTime) -> Bool {
        issued <= now + Self.tolerance && now < ends && issued < ends && ends <= issued + Self.longest
    }
}

extension StoredCard {
    /// The member `card` of a login's last request; nil when it is missing or malformed.
    init?(ofLogin body: JSONObject) {
        // Times of four bytes, as they are in cards.
        guard let card = body.object("card"), let issued = card.integer("issued"), let ends = card.integer("ends"),
            [issued, ends].allSatisfy({ (0...Int64(UInt32.max)).contains($0) })
        else { return nil }
        self.init(issued: WallTime(seconds: issued), ends: WallTime(seconds: ends))
    }
}
