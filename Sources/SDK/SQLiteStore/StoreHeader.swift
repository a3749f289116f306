// SPDX-License-Identifier: Apache-2.0

import LoginValues

/// The store's facts about itself, sealed in the database. All but `lost` are also in the ``StoreCounter``.
struct StoreHeader: Equatable {
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
        let bytes = numbers.flatMap { SealContext.bigEndian(UInt64(max($0, 0))) }
        return seal.seal(SecretBytes(copying: bytes), context: SealContext.header)
    }

    /// - Returns: nil when the bytes were not sealed as a header.
    init?(_ sealed: [UInt8], _ seal: RecordSeal) {
        guard let bytes = seal.open(sealed, context: SealContext.header), bytes.count == 32 else { return nil }
        let numbers = bytes.withBytes { bytes in
            stride(from: 0, to: 32, by: 8).map { start in
                (start..<start + 8).reduce(UInt64(0)) { $0 << 8 | UInt64(bytes[$1]) }
            }
        }
        guard numbers.allSatisfy({ $0 < 1 << 62 }) else { return nil }
        self.init(
            generation: Int(numbers[0]), highest: Int(numbers[1]), count: Int(numbers[2]), lost: Int(numbers[3]))
    }
}
