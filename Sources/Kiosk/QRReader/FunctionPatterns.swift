// SPDX-License-Identifier: Apache-2.0

/// The role of each module of a version: fixed, for information about the symbol, or for code words (7.3, 7.7.3).
struct FunctionPatterns {
    enum Role: UInt8 {
        case codeWord, information, dark, light
    }

    private(set) var version = SymbolVersion(number: 1)
    /// The roles by row and column, in the version's dimension.
    private(set) var roles = [Role](
        repeating: .codeWord, count: SymbolVersion.mostModules * SymbolVersion.mostModules)
    /// Modules of code words, as row times dimension plus column, in the order in which their bits follow each other.
    private(set) var order = [Int](repeating: 0, count: SymbolVersion.mostModules * SymbolVersion.mostModules)
    private(set) var bitCount = 0

    init() { draw() }

    mutating func become(_ version: SymbolVersion) {
        guard version != self.version else { return }
        self.version = version
        draw()
    }

    private mutating func draw() {
        let side = version.dimension
        for index in 0..<side * side { roles[index] = .codeWord }
        for step in 0..<side {
            set(6, step, step % 2 == 0 ? .dark : .light)
            set(step, 6, step % 2 == 0 ? .dark : .light)
        }
        for (row, column) in [(3, 3), (3, side - 4), (side - 4, 3)] { square(row, column, reach: 4) }
        for (row, column) in version.alignmentPatterns { square(row, column, reach: 2) }
        drawInformation(side)
        orderCodeWords(side)
    }

    /// The places of the format information and, from version 7 on, of the version information.
    private mutating func drawInformation(_ side: Int) {
        for step in 0..<9 where step != 6 {
            set(8, step, .information)
            set(step, 8, .information)
        }
        for step in 0..<8 {
            set(8, side - 1 - step, .information)
            set(side - 1 - step, 8, step == 7 ? .dark : .information)
        }
        if version.number >= 7 {
            for step in 0..<18 {
                set(step / 3, side - 11 + step % 3, .information)
                set(side - 11 + step % 3, step / 3, .information)
            }
        }
    }

    private mutating func set(_ row: Int, _ column: Int, _ role: Role) {
        roles[row * version.dimension + column] = role
    }

    /// Squares within each other, dark and light in turn from the centre; the middle of a finder pattern is larger.
    private mutating func square(_ row: Int, _ column: Int, reach: Int) {
        let side = version.dimension
        for y in max(row - reach, 0)...min(row + reach, side - 1) {
            for x in max(column - reach, 0)...min(column + reach, side - 1) {
                let distance = max(abs(y - row), abs(x - column))
                let isLight = reach == 2 ? distance == 1 : distance == 2 || distance == 4
                set(y, x, isLight ? .light : .dark)
            }
        }
    }

    /// Upwards and downwards in columns of two, from the right; the column of the timing pattern is passed over.
    private mutating func orderCodeWords(_ side: Int) {
        bitCount = 0
        var right = side - 1
        var isUpward = true
        while right > 0 {
            if right == 6 { right = 5 }
            for step in 0..<side {
                let row = isUpward ? side - 1 - step : step
                for column in [right, right - 1] where roles[row * side + column] == .codeWord {
                    order[bitCount] = row * side + column
                    bitCount += 1
                }
            }
            isUpward.toggle()
            right -= 2
        }
    }
}
