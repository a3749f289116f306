// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// A camera's picture in characters, for a terminal, with its light and its focus.
public struct CharacterPicture: Sendable, Equatable {
    /// From dark to light.
    private static let signs: [Character] = Array(" .:-=+*#%@")
    /// The focus is measured by the steepest of so many steps between neighbours.
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
            let ys = row * height / rows..<(row + 1) * height / rows
            return String(
                (0..<columns).map { column in
                    let xs = column * width / columns..<(column + 1) * width / columns
                    return CharacterPicture.sign(for: picture, xs: xs, ys: ys)
                })
        }
        light = picture.luma.reduce(0) { $0 + Int($1) } * 100 / (255 * picture.luma.count)
        focus = CharacterPicture.focus(of: picture)
    }

    /// The sign for the mean luma of a part.
    private static func sign(for picture: PreviewPicture, xs: Range<Int>, ys: Range<Int>) -> Character {
        var sum = 0
        for y in ys {
            for x in xs { sum += Int(picture.luma[y * PreviewPicture.width + x]) }
        }
        return signs[sum * signs.count / (256 * xs.count * ys.count)]
    }

    private static func focus(of picture: PreviewPicture) -> Int {
        let (width, height) = (PreviewPicture.width, PreviewPicture.height)
        let contrast = Int(picture.luma.max() ?? 0) - Int(picture.luma.min() ?? 0)
        guard contrast > 0 else { return 0 }
        var steps = [Int](repeating: 0, count: 256)
        for row in stride(from: 0, to: height * width, by: width) {
            for index in row + 1..<row + width {
                steps[abs(Int(picture.luma[index]) - Int(picture.luma[index - 1]))] += 1
            }
        }
        let count = height * (width - 1) / steepest
        var (left, sum) = (count, 0)
        for step in steps.indices.reversed() where left > 0 {
            let taken = min(left, steps[step])
            sum += taken * step
            left -= taken
        }
        return sum * 100 / (count * contrast)
    }
}
