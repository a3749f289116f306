// SPDX-License-Identifier: Apache-2.0

import Encoding

/// The store's facts about itself, sealed in the database. All but `lost` are also in the ``StoreCounter``.
struct StoreHeader: Equatable {
    /// Greater than any number that a store reaches.
    static let numberLimit = 1 << 62
    /// In bytes.
    private static let numberLength = 8

    /// Increases by one with every change.
    var generation: Int
    /// The highest number that any identity ever had.
    var highest: Int
    /// The number of rows in the table of identities.
    var count: Int
    /// The number of identities that could not be rescued since the operator last took note.
    var lost: Int

    init(generation: Int, highest: Int, count: Int, lost: Int) {
        self.generation = generation
        self.highest = highest
        self.count = count
        self.lost = lost
    }

    private var numbers: [Int] { [generation, highest, count, lost] }

    func sealed(with seal: RecordSeal) -> [UInt8]? {
        let bytes = SecretBytes(joining: numbers.map { SecretBytes(max($0, 0), count: StoreHeader.numberLength) })
        return seal.seal(bytes, context: SealContext.header)
    }

    /// - Returns: nil when the bytes were not sealed as a header.
    init?(_ sealed: [UInt8], _ seal: RecordSeal) {
        guard let bytes = seal.open(sealed, context: SealContext.header) else { return nil }
        var reader = SecretReader(bytes)
        func number() -> Int? {
            reader.number(StoreHeader.numberLength).flatMap { $0 < StoreHeader.numberLimit ? Int($0) : nil }
        }
        guard let generation = number(), let highest = number(), let count = number(), let lost = number(),
            reader.isAtEnd
        else { return nil }
        self.init(generation: generation, highest: highest, count: count, lost: lost)
    }
}
