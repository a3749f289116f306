// SPDX-License-Identifier: Apache-2.0

/// Reads the text of a symbol from how certain its modules are.
struct GridDecoder: ~Copyable {
    /// A format with less agreement is skipped.
    private static let leastAgreement: Float = 0.25
    /// With less agreement, doubtful modules are not tried both ways: it is probably no symbol.
    private static let plainAgreement: Float = 0.8
    /// Formats that are tried: those of the nearest code word and of the next one.
    private static let formats = 2

    private var words = CodeWords()
    private var segments = DataSegments()
    private(set) var patterns = FunctionPatterns()

    var text: [UInt8] { segments.text }
    var count: Int { segments.count }
    var isPart: Bool { segments.isPart }

    mutating func become(_ version: SymbolVersion) { patterns.become(version) }

    /// - Parameter isPersistent: whether doubtful modules are tried both ways where the format is plain.
    /// - Returns: whether ``text`` holds the symbol's text now.
    mutating func decode(_ grid: borrowing ModuleGrid, isPersistent: Bool = false) -> Bool {
        patterns.become(grid.version)
        for rank in 0..<GridDecoder.formats {
            let format = FormatInformation.nearest(grid, rank: rank)
            guard format.agreement > GridDecoder.leastAgreement else { return false }
            let isPersistent = isPersistent && format.agreement > GridDecoder.plainAgreement
            if words.correct(grid, patterns, format, isPersistent: isPersistent),
                segments.read(words, version: grid.version)
            {
                return true
            }
        }
        return false
    }

    /// Reads a symbol or its mirror image. A grid without either stays transposed.
    mutating func decodeEitherWay(
        _ grid: inout ModuleGrid, isPersistent: Bool = false, isMirrored: inout Bool
    ) -> Bool {
        isMirrored = !decode(grid, isPersistent: isPersistent)
        guard isMirrored else { return true }
        grid.transpose()
        return decode(grid, isPersistent: isPersistent)
    }

    /// Forgets what was read.
    mutating func wipe() {
        words.wipe()
        segments.wipe()
    }
}
