// SPDX-License-Identifier: Apache-2.0

/// A version of numbers and dots. Missing numbers count as zero; what follows `-` or `+` does not count.
struct ClientVersion: Comparable, Sendable {
    private let numbers: [Int]

    /// Nil unless the text is one to four dotted numbers.
    init?(_ text: some StringProtocol) {
        let core = text.prefix { $0 != "-" && $0 != "+" }
        var numbers: [Int] = []
        for part in core.split(separator: ".", omittingEmptySubsequences: false) {
            guard (1...9).contains(part.utf8.count), part.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = Int(part)
            else { return nil }
            numbers.append(number)
        }
        guard (1...4).contains(numbers.count) else { return nil }
        self.numbers = numbers + Array(repeating: 0, count: 4 - numbers.count)
    }

    static func < (left: ClientVersion, right: ClientVersion) -> Bool {
        left.numbers.lexicographicallyPrecedes(right.numbers)
    }
}
