// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import QRWriting

/// A card for people: the code, and its purpose.
struct PrintedCard {
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

    /// The card in characters.
    ///
    /// - Parameter isColoured: for terminals, dark on light whatever their colours are; otherwise blocks are dark, as
    ///   on paper.
    func text(isColoured: Bool) -> String {
        let rows = code.halfBlocks.map { isColoured ? "\u{1B}[30;107m\($0)\u{1B}[0m\n" : $0 + "\n" }
        return rows.joined() + caption.description + "\n"
    }
}
