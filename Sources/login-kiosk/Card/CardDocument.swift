// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts

/// What `card --json` prints.
struct CardDocument: Encodable {
    let version = 1
    let errand: String
    let place: String?
    let caption: String
    /// Of the QR code.
    let text: String
    /// Where the picture is.
    let file: String?

    init(_ printed: PrintedCard, file: String?) {
        errand = printed.card.errand.name
        place = printed.card.place
        caption = printed.caption.description
        text = printed.card.text
        self.file = file
    }
}
