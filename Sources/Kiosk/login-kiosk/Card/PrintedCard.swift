// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskPorts
import QRWriting

/// A card for people: the code, and its purpose.
struct PrintedCard {
    /// Pixels on a module's side: 0.7 mm on a page at 300 dots an inch; a screen shows it smaller.
    private static let pixels = 8

    let caption: DisplayText
    let code: QRMatrix

    /// The card as an SVG picture, 80 mm wide unless the page sets another width.
    var svg: String {
        // Room for one line, which shrinks to fit.
        let band = code.side / 8
        let room = 1.6 * Double(code.side - QRMatrix.quietZone)
        let size = min(Double(band) * 0.7, room / Double(max(caption.description.count, 1)))
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <svg xmlns="http://www.w3.org/2000/svg" width="80mm" viewBox="0 0 \(code.side) \(code.side + band)">
            <title>\(PictureFile.escaped(caption.description))</title>
            <rect width="\(code.side)" height="\(code.side + band)" fill="#fff"/>
            <path fill="#000" shape-rendering="crispEdges" d="\(code.svgPath)"/>
            <text x="\(Double(code.side) / 2)" y="\(Double(code.side) + Double(band) * 0.5)" font-family="sans-serif" \
            font-size="\((size * 100).rounded() / 100)" text-anchor="middle">\(PictureFile.escaped(caption.description))</text>
            </svg>

            """
    }

    /// The code as a PNG picture; nil when libpng failed.
    var png: [UInt8]? { code.png(moduleSize: PrintedCard.pixels) }

    /// Prints the card in characters: on a terminal always dark on light; otherwise blocks are dark,
    /// as on paper.
    func show() {
        let isTerminal = isatty(STDOUT_FILENO) == 1
        for row in code.halfBlocks { print(isTerminal ? "\u{1B}[30;107m\(row)\u{1B}[0m" : row) }
        print(caption.description)
    }
}
