// SPDX-License-Identifier: Apache-2.0

public import Capture

extension Picture {
    /// A drawing in half blocks, two pixels per character, dark on light.
    ///
    /// - Parameter scale: pixels of the picture per pixel of the drawing.
    /// - Returns: nil when the lines differ in length.
    public init?(blocks lines: some Collection<String>, scale: Int) {
        guard let width = lines.first?.count, lines.allSatisfy({ $0.count == width }) else { return nil }
        self.init(width: width * scale, height: 2 * lines.count * scale, shade: 255)
        for (row, line) in lines.enumerated() {
            for (column, block) in line.enumerated() {
                if "█▀".contains(block) { darken(column, 2 * row, scale) }
                if "█▄".contains(block) { darken(column, 2 * row + 1, scale) }
            }
        }
    }

    private mutating func darken(_ column: Int, _ row: Int, _ scale: Int) {
        for y in row * scale..<(row + 1) * scale {
            for x in column * scale..<(column + 1) * scale { self[x, y] = 0 }
        }
    }
}
