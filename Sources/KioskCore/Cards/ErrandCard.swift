// SPDX-License-Identifier: Apache-2.0

/// What a printed code asks the kiosk to begin: an errand of the menu, and where.
///
/// An operator hangs it beside the kiosk. There is no secret in it, it names nobody, and it begins nothing that the person
/// could not begin with the keys (`docs/kiosk.md`, "Cards").
public struct ErrandCard: Hashable, Sendable {
    public let errand: Errand
    /// A door's name, or a line of the trust list that names one host; nil where the person chooses. Text of whoever printed
    /// the card: to be compared with what the kiosk knows, and not to be shown.
    public let place: String?

    /// - Returns: nil for a place without a name, or with one that no card has room for (``maximumLength``).
    public init?(_ errand: Errand, at place: String? = nil) {
        self.errand = errand
        self.place = place
        guard place?.isEmpty != true, text.utf8.count <= ErrandCard.maximumLength else { return nil }
    }
}
