// SPDX-License-Identifier: Apache-2.0

/// The address of a line of a chip: the board's name for it, or its number on the chip.
public enum LineAddress: Hashable, Sendable {
    case named(String)
    case offset(UInt32)

    /// Reads an offset, if the text is a number, else a name of 1...31 bytes.
    ///
    /// - Returns: nil for a text that is neither.
    public init?(_ text: some StringProtocol) {
        if text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            guard let offset = UInt32(text) else { return nil }
            self = .offset(offset)
        } else {
            guard (1...31).contains(text.utf8.count) else { return nil }
            self = .named(String(text))
        }
    }
}

extension LineAddress: CustomStringConvertible {
    public var description: String {
        switch self {
        case .named(let name): name
        case .offset(let offset): "\(offset)"
        }
    }
}
