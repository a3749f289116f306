// SPDX-License-Identifier: Apache-2.0

/// Converts modules to the corrected data of a symbol (ISO/IEC 18004, 7.5 to 7.8).
struct CodeWords: ~Copyable {
    /// The most code words of a symbol.
    private static let most = 3706
    /// A Reed-Solomon code over 256 elements has no longer block.
    private static let longestBlock = GaloisField.order
    /// Syndromes that are left to check where code words are given up as erasures: a wrong text is worse than none.
    private static let spare = 4
    /// Shares of the syndromes that erasures may take, in the order in which they are tried.
    private static let erasureShares: [Float] = [0, 0.3, 0.6, 0.85, 1]

    /// Words that are tried with their least certain bit and with the opposite.
    private static let doubtfulWords = 6

    private var words = [UInt8](repeating: 0, count: most)
    private var certainties = [Float](repeating: 0, count: most)
    /// The least certain bit of each word.
    private var doubtfulBits = [UInt8](repeating: 0, count: most)
    private var block = [UInt8](repeating: 0, count: longestBlock)
    private var attempt = [UInt8](repeating: 0, count: longestBlock)
    /// The index of each word of the block among all words.
    private var places = [Int](repeating: 0, count: longestBlock)
    /// The block's words, the least certain first.
    private var byCertainty = [Int](repeating: 0, count: longestBlock)
    private var decoder = ReedSolomonDecoder()
    /// The data, and how many bytes of it there are.
    private(set) var data = [UInt8](repeating: 0, count: most)
    private(set) var count = 0

    /// - Returns: whether every block could be corrected. Then ``data`` holds the symbol's data.
    mutating func correct(
        _ grid: borrowing ModuleGrid, _ patterns: borrowing FunctionPatterns, _ format: FormatInformation,
        isPersistent: Bool
    ) -> Bool {
        let total = patterns.bitCount / 8
        read(grid, patterns, mask: format.mask, total: total)
        let blocks = grid.version.blocks(at: format.level)
        let interleaving = Interleaving(total: total, blocks: blocks.count, checkWords: blocks.checkWords)
        let protection = grid.version.protection(at: format.level)
        count = 0
        for number in 0..<blocks.count {
            let dataLength = interleaving.dataLength(ofBlock: number)
            let length = dataLength + blocks.checkWords
            for index in 0..<length {
                places[index] = interleaving.place(of: index, inBlock: number)
                block[index] = words[places[index]]
            }
            let isCorrected =
                correctErasures(length, checkWords: blocks.checkWords, protection: protection)
                || isPersistent && correctDoubtfulBits(length, checkWords: blocks.checkWords)
            guard isCorrected else { return false }
            for index in 0..<dataLength {
                data[count] = attempt[index]
                count += 1
            }
        }
        return true
    }

    /// Takes data that need no correction.
    mutating func take(_ bytes: [UInt8]) {
        for index in bytes.indices { data[index] = bytes[index] }
        count = bytes.count
    }

    /// Forgets what was read.
    mutating func wipe() {
        for index in 0..<CodeWords.most { (words[index], data[index]) = (0, 0) }
        for index in 0..<CodeWords.longestBlock { (block[index], attempt[index]) = (0, 0) }
        count = 0
    }

    /// The bits of the code words with the mask taken off; a word is as certain as its least certain module.
    private mutating func read(
        _ grid: borrowing ModuleGrid, _ patterns: borrowing FunctionPatterns, mask: Int, total: Int
    ) {
        let side = grid.dimension
        for number in 0..<total {
            var word: UInt8 = 0
            var certainty = Float.infinity
            for bit in 0..<8 {
                let index = patterns.order[number * 8 + bit]
                let isDark = grid[index] > 0
                let isSet = isDark != CodeWords.isInverted(row: index / side, column: index % side, by: mask)
                word = word << 1 | (isSet ? 1 : 0)
                if abs(grid[index]) < certainty {
                    certainty = abs(grid[index])
                    doubtfulBits[number] = 0x80 >> UInt8(bit)
                }
            }
            words[number] = word
            certainties[number] = certainty
        }
    }

    /// Whether a mask inverts a module (table 10).
    static func isInverted(row: Int, column: Int, by mask: Int) -> Bool {
        switch mask {
        case 0: (row + column) % 2 == 0
        case 1: row % 2 == 0
        case 2: column % 3 == 0
        case 3: (row + column) % 3 == 0
        case 4: (row / 2 + column / 3) % 2 == 0
        case 5: row * column % 2 + row * column % 3 == 0
        case 6: (row * column % 2 + row * column % 3) % 2 == 0
        default: ((row + column) % 2 + row * column % 3) % 2 == 0
        }
    }

    /// Corrects without erasures at first, then with more and more of the least certain words as erasures.
    private mutating func correctErasures(_ length: Int, checkWords: Int, protection: Int) -> Bool {
        var isSorted = false
        for share in CodeWords.erasureShares {
            let erased = Int(share * Float(checkWords - CodeWords.spare))
            guard share == 0 || erased > 0 else { continue }
            if erased > 0, !isSorted {
                sortByCertainty(length)
                isSorted = true
            }
            for index in 0..<length { attempt[index] = block[index] }
            if decoder.correct(
                &attempt, count: length, checkWords: checkWords, erasures: byCertainty, erased: erased,
                spare: erased > 0 ? CodeWords.spare : protection)
            {
                return true
            }
        }
        return false
    }

    /// Chase's algorithm: with every choice of the most doubtful bits turned over.
    private mutating func correctDoubtfulBits(_ length: Int, checkWords: Int) -> Bool {
        sortByCertainty(length)
        for choice in 1..<1 << min(CodeWords.doubtfulWords, length) {
            for index in 0..<length { attempt[index] = block[index] }
            for index in 0..<CodeWords.doubtfulWords where choice >> index & 1 == 1 {
                attempt[byCertainty[index]] ^= doubtfulBits[places[byCertainty[index]]]
            }
            if decoder.correct(
                &attempt, count: length, checkWords: checkWords, erasures: byCertainty, erased: 0,
                spare: CodeWords.spare)
            {
                return true
            }
        }
        return false
    }

    private mutating func sortByCertainty(_ length: Int) {
        for index in 0..<length {
            var place = index
            while place > 0, certainties[places[byCertainty[place - 1]]] > certainties[places[index]] {
                byCertainty[place] = byCertainty[place - 1]
                place -= 1
            }
            byCertainty[place] = index
        }
    }
}

/// The order of the words of a symbol's blocks: the first word of each block, the second of each, and so on. The last
/// blocks have an extra word of data (ISO/IEC 18004, 7.6).
private struct Interleaving {
    let total: Int
    let blocks: Int
    let checkWords: Int

    private var shortDataLength: Int { total / blocks - checkWords }
    private var firstLongBlock: Int { blocks - total % blocks }

    func dataLength(ofBlock number: Int) -> Int { shortDataLength + (number >= firstLongBlock ? 1 : 0) }

    func place(of index: Int, inBlock number: Int) -> Int {
        if index < shortDataLength { return index * blocks + number }
        let dataLength = dataLength(ofBlock: number)
        if index < dataLength { return shortDataLength * blocks + number - firstLongBlock }
        return total - (dataLength + checkWords - index) * blocks + number
    }
}
