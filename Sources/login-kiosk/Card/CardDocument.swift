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

    init(_ card: ErrandCard, caption: DisplayText, file: String?) {
        errand = card.errand.name
        place = card.place
        self.caption = caption.description
        text = card.text
        self.file = file
    }
}
