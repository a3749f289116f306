// SPDX-License-Identifier: Apache-2.0

/// Error correction levels by the two bits that the format information has for them (ISO/IEC 18004, table 12).
enum CorrectionLevel: Int, CaseIterable {
    case medium = 0
    case low = 1
    case high = 2
    case quartile = 3
}

/// The size of a symbol: version 1 has 21 modules on a side, version 40 has 177.
struct SymbolVersion: Equatable {
    static let numbers = 1...40
    static let mostModules = 177

    let number: Int

    /// Modules on a side.
    var dimension: Int { 17 + 4 * number }

    /// Numbers of rows, and of columns, on which alignment patterns are centred (annex E).
    var alignmentCentres: [Int] { number == 1 ? [] : SymbolVersion.alignmentCentres[number] }

    /// The modules on which alignment patterns are centred: each crossing but those that finder patterns cover.
    var alignmentPatterns: [(row: Int, column: Int)] {
        let centres = alignmentCentres
        guard let first = centres.first, let last = centres.last else { return [] }
        return centres.flatMap { row in centres.map { (row: row, column: $0) } }.filter { row, column in
            (row, column) != (first, first) && (row, column) != (first, last) && (row, column) != (last, first)
        }
    }

    /// The middle of a finder pattern, in modules.
    func finderCentre(_ corner: SymbolCorners.Corner) -> Point {
        let (near, far) = (FinderPattern.reach, Float(dimension) - FinderPattern.reach)
        return switch corner {
        case .upperLeft: Point(near, near)
        case .upperRight: Point(far, near)
        case .lowerLeft: Point(near, far)
        }
    }

    /// Error correction code words of each block, and the number of blocks (table 9).
    func blocks(at level: CorrectionLevel) -> (checkWords: Int, count: Int) {
        let index = number - 1
        return switch level {
        case .low: (SymbolVersion.lowWords[index], SymbolVersion.lowBlocks[index])
        case .medium: (SymbolVersion.mediumWords[index], SymbolVersion.mediumBlocks[index])
        case .quartile: (SymbolVersion.quartileWords[index], SymbolVersion.quartileBlocks[index])
        case .high: (SymbolVersion.highWords[index], SymbolVersion.highBlocks[index])
        }
    }

    /// Syndromes that protect small symbols from wrong corrections (table 9, note b).
    func protection(at level: CorrectionLevel) -> Int {
        switch (number, level) {
        case (1, .low): 3
        case (1, .medium), (2, .low): 2
        case (1, _), (3, .low): 1
        default: 0
        }
    }

    private static let alignmentCentres: [[Int]] = (0...40).map { number in
        guard number > 1 else { return [] }
        let count = number / 7 + 2
        let last = 10 + 4 * number
        // The distances are even, and equal except for the first.
        let step = number == 32 ? 26 : (last - 6 + 2 * count - 3) / (2 * count - 2) * 2
        return (0..<count).map { $0 == 0 ? 6 : last - (count - 1 - $0) * step }
    }

    private static let lowWords = [
        7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28, 28, 28, 30, 30, 26, 28, 30, 30,
        30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
    ]
    private static let lowBlocks = [
        1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8, 8, 9, 9, 10, 12, 12, 12, 13, 14, 15, 16, 17, 18, 19,
        19, 20, 21, 22, 24, 25,
    ]
    private static let mediumWords = [
        10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28, 28, 28, 28, 28, 28,
        28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
    ]
    private static let mediumBlocks = [
        1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23, 25, 26, 28, 29, 31,
        33, 35, 37, 38, 40, 43, 45, 47, 49,
    ]
    private static let quartileWords = [
        13, 22, 18, 26, 18, 24, 18, 22, 20, 24, 28, 26, 24, 20, 30, 24, 28, 28, 26, 30, 28, 30, 30, 30, 30, 28, 30, 30,
        30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
    ]
    private static let quartileBlocks = [
        1, 1, 2, 2, 4, 4, 6, 6, 8, 8, 8, 10, 12, 16, 12, 17, 16, 18, 21, 20, 23, 23, 25, 27, 29, 34, 34, 35, 38, 40, 43,
        45, 48, 51, 53, 56, 59, 62, 65, 68,
    ]
    private static let highWords = [
        17, 28, 22, 16, 22, 28, 26, 26, 24, 28, 24, 28, 22, 24, 24, 30, 28, 28, 26, 28, 30, 24, 30, 30, 30, 30, 30, 30,
        30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
    ]
    private static let highBlocks = [
        1, 1, 2, 4, 4, 4, 5, 6, 8, 8, 11, 11, 16, 16, 18, 16, 19, 21, 25, 25, 25, 34, 30, 32, 35, 37, 40, 42, 45, 48,
        51, 54, 57, 60, 63, 66, 70, 74, 77, 81,
    ]
}

extension SymbolVersion {
    /// The version whose side is nearest to `dimension` modules.
    init(nearest dimension: Float) {
        let number = Int(((dimension - 17) / 4).rounded())
        self.init(number: min(max(number, SymbolVersion.numbers.lowerBound), SymbolVersion.numbers.upperBound))
    }
}
