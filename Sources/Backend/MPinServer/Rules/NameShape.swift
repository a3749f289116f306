// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The shape of a name, which is the same for names that people take for each other: without regard to case, and with
/// one letter for those that look alike. A small form of the skeleton of Unicode's UTS 39, section 4, for the letters of
/// the five languages and their neighbours.
package struct NameShape: Hashable, Sendable {
    private let text: String

    package init(_ name: String) {
        let latin = name.decomposedStringWithCompatibilityMapping.map { Self.lookalikes[$0] ?? $0 }
        let small = String(latin).lowercased().filter { !$0.isWhitespace }
        text = String(small.map { Self.strokes[$0] ?? $0 }).replacing("rn", with: "m").replacing("vv", with: "w")
    }

    /// Keyed by letters of other scripts. Capitals have their own entries, because in some scripts only capitals look
    /// alike.
    private static let lookalikes: [Character: Character] = {
        let pairs = [
            // Cyrillic.
            ("АВЕЅІЈКМНОРСТУХҮԚԜ", "ABESIJKMHOPCTYXYQW"), ("аеорсухіјѕһԁԛԝӏкмтнвгпү", "aeopcyxijshdqwlkmthbrny"),
            // Greek.
            ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX"), ("αγηικνορτυχωε", "ayniKvoptuxwe"),
            // Armenian and Cherokee.
            ("ՕՏԼօոսհցզյ", "OSLonuhgqj"), ("ᎪᏴᏟᎬᎻᎫᏦᏞᎷᏢᎡᏚᎢᏙᏔᏃᎶ", "ABCEHJKLMPRSTVWZG"),
            // Latin.
            ("ıɑɡꞁƖℓ", "iagllI"),
        ]
        return Dictionary(pairs.flatMap { Array(zip($0.0, $0.1)) }) { first, _ in first }
    }()

    /// Keyed by small letters and digits that are drawn as one stroke or one ring.
    private static let strokes: [Character: Character] = ["i": "l", "1": "l", "|": "l", "0": "o"]
}
