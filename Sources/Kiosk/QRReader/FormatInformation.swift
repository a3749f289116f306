// SPDX-License-Identifier: Apache-2.0

/// Error correction level and mask pattern, by the nearest code word to what both places say (ISO/IEC 18004, 7.9).
struct FormatInformation {
    let level: CorrectionLevel
    let mask: Int
    /// The agreement of the symbol: 1 if every module agrees.
    let agreement: Float

    /// Row and column of each bit, the highest first; the second place counts from the right and from below.
    private static let first: [(row: Int, column: Int)] = [
        (8, 0), (8, 1), (8, 2), (8, 3), (8, 4), (8, 5), (8, 7), (8, 8), (7, 8), (5, 8), (4, 8), (3, 8), (2, 8), (1, 8),
        (0, 8),
    ]
    private static let second: [(row: Int, column: Int)] = [
        (-1, 8), (-2, 8), (-3, 8), (-4, 8), (-5, 8), (-6, 8), (-7, 8), (8, -8), (8, -7), (8, -6), (8, -5), (8, -4),
        (8, -3), (8, -2), (8, -1),
    ]

    private static let dataBits = 5
    private static let checkBits = 10
    /// The generator polynomial of the Bose-Chaudhuri-Hocquenghem code (annex C).
    private static let generator = 0x537
    /// Inverts some bits, so that no code word is 0.
    private static let inversion = 0x5412

    /// The code words of all values, as they stand in a symbol.
    private static let codeWords: [Int] = (0..<1 << dataBits).map { value in
        var remainder = value
        for _ in 0..<checkBits {
            remainder = remainder << 1 ^ (remainder >> (checkBits - 1) & 1) * generator
        }
        return (value << checkBits | remainder) ^ inversion
    }

    /// - Parameter rank: 0 for the nearest code word, 1 for the next one.
    static func nearest(_ grid: borrowing ModuleGrid, rank: Int) -> FormatInformation {
        var best: (value: Int, agreement: Float) = (0, -.infinity)
        var next = best
        for value in codeWords.indices {
            let agreement = agreement(grid, with: codeWords[value])
            if agreement > best.agreement {
                next = best
                best = (value, agreement)
            } else if agreement > next.agreement {
                next = (value, agreement)
            }
        }
        let chosen = rank == 0 ? best : next
        return FormatInformation(
            level: CorrectionLevel(rawValue: chosen.value >> 3) ?? .medium, mask: chosen.value & 7,
            agreement: chosen.agreement)
    }

    private static func agreement(_ grid: borrowing ModuleGrid, with codeWord: Int) -> Float {
        let side = grid.dimension
        var sum: Float = 0
        // Not 0, to avoid a division by 0.
        var weight: Float = 1e-3
        for bit in first.indices {
            let isSet = codeWord >> (first.count - 1 - bit) & 1 == 1
            let (one, two) = (first[bit], second[bit])
            let near = grid[one.row, one.column]
            let far = grid[(two.row + side) % side, (two.column + side) % side]
            sum += isSet ? near + far : -near - far
            weight += abs(near) + abs(far)
        }
        return sum / weight
    }
}
