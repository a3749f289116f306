// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskPorts
import LoginValues
import Signage

/// The picture of a camera at which somebody aims: a page with a code on a screen that is held at a slant.
enum AimedPicture {
    private static let turn = 0.07
    private static let centre = (x: 161.0, y: 90.0)
    /// Half the sides of the screen and of its code, in pixels of the picture.
    private static let screen = (across: 108.0, down: 76.0)
    private static let code = 45.0

    static let picture: PreviewPicture? = {
        let grid = CardCode(SecretBytes(copying: Array("HTTPS://LOGIN.EXAMPLE.COM/MFA".utf8)))?.grid
        let (sine, cosine) = (sin(turn), cos(turn))
        func light(_ x: Double, _ y: Double) -> Int {
            // In the screen's own directions.
            let (dx, dy) = (x - centre.x, y - centre.y)
            let (across, down) = (dx * cosine + dy * sine, dy * cosine - dx * sine)
            let (a, d) = (abs(across), abs(down))
            if a < code, d < code, let grid {
                let modules = Double(grid.side) / (2 * code)
                let column = min(Int((across + code) * modules), grid.side - 1)
                let row = min(Int((down + code) * modules), grid.side - 1)
                return grid.isDark[row * grid.side + column] ? 38 : 228
            }
            if a < screen.across, d < screen.down {
                let isHeader = down < 20 - screen.down
                let isName = (9 - screen.down...13 - screen.down).contains(down) && (45.0...90.0).contains(across)
                let isSentence = (58.0...61.0).contains(down) && a < 52
                return isName ? 214 : isHeader ? 62 : isSentence ? 120 : 228
            }
            if a < screen.across + 6, d < screen.down + 6 { return 26 }
            // A wall, lit from the left.
            return Int(130 - x / 5)
        }
        let luma = (0..<PreviewPicture.height).flatMap { y in
            (0..<PreviewPicture.width).map { x -> UInt8 in
                // The mean of four, as a lens gives soft edges.
                let (left, top) = (Double(x) + 0.25, Double(y) + 0.25)
                let upper = light(left, top) + light(left + 0.5, top)
                let lower = light(left, top + 0.5) + light(left + 0.5, top + 0.5)
                return UInt8(clamping: (upper + lower) / 4)
            }
        }
        let edge = code * 0.86
        func corner(_ across: Double, _ down: Double) -> PixelPoint {
            let x = centre.x + across * cosine - down * sine
            let y = centre.y + across * sine + down * cosine
            return PixelPoint(x: Int(x), y: Int(y))
        }
        let outline = [corner(-edge, -edge), corner(edge, -edge), corner(edge, edge), corner(-edge, edge)]
        return PreviewPicture(luma: luma, outline: outline)
    }()

    /// The same without the outline.
    static let unread = picture.flatMap { PreviewPicture(luma: $0.luma) }
}
