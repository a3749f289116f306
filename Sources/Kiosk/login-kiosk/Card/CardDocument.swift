// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts

/// The output of `card --json`.
struct CardDocument: Encodable {
    let version = 1
    let task: String
    let place: String?
    let caption: String
    /// Whether kiosks with a fleet key accept it.
    let signed: Bool
    /// The text of the QR code.
    let text: String
    /// The path of the picture.
    let file: String?

    init(_ card: MenuCard, caption: DisplayText, file: String?) {
        task = card.task.name
        place = card.place
        self.caption = caption.description
        signed = card.signature != nil
        text = card.text
        self.file = file
    }
}
