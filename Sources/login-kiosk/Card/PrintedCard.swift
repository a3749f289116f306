// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import QRWriting

/// A card as people see it: the code, and what it is for.
struct PrintedCard {
    let card: ErrandCard
    let caption: DisplayText
    let code: QRMatrix

    /// - Returns: nil when the text does not fit into a code, which that of a card does.
    init?(_ card: ErrandCard, caption: DisplayText) {
        guard let code = QRMatrix(card.text) else { return nil }
        self.card = card
        self.caption = caption
        self.code = code
    }
}

extension PrintedCard {
    /// The card as a picture that is sharp in every size, 80 mm wide unless the page says otherwise.
    var svg: String {
        let edge = QRMatrix.quietZone
        let side = code.width + 2 * edge
        let rows = (0..<code.width).map { row in path(row: row) }.joined()
        // Room for one line, which shrinks with what there is to say.
        let band = side / 8
        let size = min(Double(band) * 0.7, 1.6 * Double(side - edge) / Double(max(caption.description.count, 1)))
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <svg xmlns="http://www.w3.org/2000/svg" width="80mm" viewBox="0 0 \(side) \(side + band)">
            <title>\(escaped(caption.description))</title>
            <rect width="\(side)" height="\(side + band)" fill="#fff"/>
            <path fill="#000" shape-rendering="crispEdges" d="\(rows)"/>
            <text x="\(Double(side) / 2)" y="\(Double(side) + Double(band) * 0.5)" font-family="sans-serif" \
            font-size="\((size * 100).rounded() / 100)" text-anchor="middle">\(escaped(caption.description))</text>
            </svg>

            """
    }

    /// The dark runs of a row, each a rectangle of one module's height.
    private func path(row: Int) -> String {
        let edge = QRMatrix.quietZone
        var path = ""
        var column = 0
        while column < code.width {
            var end = column
            while code[row, end] { end += 1 }
            if end > column { path += "M\(column + edge) \(row + edge)h\(end - column)v1h-\(end - column)z" }
            column = end + 1
        }
        return path
    }

    private func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}

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
