// SPDX-License-Identifier: Apache-2.0

/// The certainty that each module of a symbol is dark: 1 is dark, -1 light, 0 unknown.
struct ModuleGrid: ~Copyable {
    private(set) var version = SymbolVersion(number: 1)
    private var certainties = [Float](repeating: 0, count: SymbolVersion.mostModules * SymbolVersion.mostModules)

    var dimension: Int { version.dimension }

    mutating func become(_ version: SymbolVersion) { self.version = version }

    subscript(row: Int, column: Int) -> Float {
        get { certainties[row * version.dimension + column] }
        set { certainties[row * version.dimension + column] = newValue }
    }

    subscript(index: Int) -> Float {
        get { certainties[index] }
        set { certainties[index] = newValue }
    }

    mutating func copy(_ other: borrowing ModuleGrid) {
        version = other.version
        for index in 0..<dimension * dimension { certainties[index] = other.certainties[index] }
    }

    /// Changes rows with columns: a mirror image becomes a symbol, and a symbol a mirror image.
    mutating func transpose() {
        let side = dimension
        for row in 0..<side {
            for column in 0..<row { certainties.swapAt(row * side + column, column * side + row) }
        }
    }

    /// The agreement of the fixed patterns, from -1 to 1.
    func agreement(with patterns: borrowing FunctionPatterns) -> Float {
        var sum: Float = 0
        var weight: Float = 1e-3
        for index in 0..<dimension * dimension {
            switch patterns.roles[index] {
            case .dark: sum += certainties[index]
            case .light: sum -= certainties[index]
            default: continue
            }
            weight += abs(certainties[index])
        }
        return sum / weight
    }
}
