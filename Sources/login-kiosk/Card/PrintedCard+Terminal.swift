// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import QRWriting

extension PrintedCard {
    /// The card in characters, two modules above each other in each.
    ///
    /// - Parameter isColoured: for terminals, dark on light whatever their colours are; otherwise blocks are dark,
    ///   as on paper.
    func text(isColoured: Bool) -> String {
        let edge = QRMatrix.quietZone
        var text = ""
        for row in stride(from: -edge, to: code.width + edge, by: 2) {
            var line = ""
            for column in -edge..<code.width + edge {
                let block =
                    switch (code[row, column], code[row + 1, column]) {
                    case (true, true): "█"
                    case (true, false): "▀"
                    case (false, true): "▄"
                    case (false, false): " "
                    }
                line += block
            }
            text += isColoured ? "\u{1B}[30;107m\(line)\u{1B}[0m\n" : line + "\n"
        }
        return text + caption.description + "\n"
    }
}
