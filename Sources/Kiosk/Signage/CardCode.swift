// SPDX-License-Identifier: Apache-2.0

public import KioskPorts
public import LoginValues
import QRWriting

/// A personal card's QR code as screens draw it, with its quiet zone.
public struct CardCode: Sendable {
    /// Modules on a side.
    public let side: Int
    /// The dark modules as the path of an SVG picture of ``side`` x ``side``.
    public let path: String
    /// The modules, for a screen that draws them itself.
    public let grid: ModuleGrid
    /// The code in characters, each two modules high. Blocks are dark modules.
    let rows: [String]

    /// - Returns: nil when the text does not fit into a code.
    public init?(_ text: SecretBytes) {
        guard let code = text.withBytes({ QRMatrix(alphanumeric: $0) }) else { return nil }
        guard let grid = ModuleGrid(side: code.side, isDark: code.modules) else { return nil }
        self.grid = grid
        (side, path, rows) = (code.side, code.svgPath, code.halfBlocks)
    }
}
