// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// A camera's picture in characters, for a terminal, with its light and its focus.
public struct CharacterPicture: Sendable, Equatable {
    /// From dark to light.
    private static let signs: [Character] = Array(" .:-=+*#%@")
    /// The share of the steepest steps between neighbours that the focus is made of.
    private static let steepest = 100

    public let lines: [String]
    /// Mean luma in percent.
    public let light: Int
    /// The steepest steps between neighbours in percent of the picture's contrast: higher is sharper.
    public let focus: Int

    /// - Parameters:
    ///   - columns: at least 1.
    ///   - rows: at least 1.
    public init(_ picture: PreviewPicture, columns: Int, rows: Int) {
        let (width, height) = (PreviewPicture.width, PreviewPicture.height)
        let (columns, rows) = (min(max(columns, 1), width), min(max(rows, 1), height))
        lines = (0..<rows).map { row in
            String(
                (0..<columns).map { column in
                    var (sum, count) = (0, 0)
                    for y in row * height / rows..<(row + 1) * height / rows {
                        for x in column * width / columns..<(column + 1) * width / columns {
                            sum += Int(picture.luma[y * width + x])
                            count += 1
                        }
                    }
                    return CharacterPicture.signs[sum * CharacterPicture.signs.count / (256 * count)]
                })
        }
        light = picture.luma.reduce(0) { $0 + Int($1) } * 100 / (255 * picture.luma.count)
        var steps = [Int](repeating: 0, count: 256)
        for y in 0..<height {
            for x in 1..<width {
                let index = y * width + x
                steps[abs(Int(picture.luma[index]) - Int(picture.luma[index - 1]))] += 1
            }
        }
        let contrast = Int(picture.luma.max() ?? 0) - Int(picture.luma.min() ?? 0)
        var left = height * (width - 1) / CharacterPicture.steepest
        var (sum, count) = (0, 0)
        for step in steps.indices.reversed() where left > 0 {
            let taken = min(left, steps[step])
            sum += taken * step
            count += taken
            left -= taken
        }
        focus = contrast == 0 ? 0 : sum * 100 / (count * contrast)
    }
}
