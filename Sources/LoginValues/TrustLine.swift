// SPDX-License-Identifier: Apache-2.0

/// One line of the trust list: a service, and behind an arrow what else its replies may name:
/// `shop.example.com -> login.example.com dta.example.com:8443`.
///
/// The words before the arrow are about the service itself; there is one by now, its hosts.
public struct TrustLine: Hashable, Sendable {
    private static let arrow = "->"

    /// The hosts that codes may name.
    public let entry: TrustEntry
    /// The hosts that those of ``entry`` may name beside themselves, each once. No code may name them by that.
    public private(set) var targets: [TrustEntry]

    public init(_ entry: TrustEntry, targets: [TrustEntry] = []) {
        self.entry = entry
        self.targets = []
        add(targets)
    }

    /// - Parameter text: words with blanks between them; case does not matter.
    /// - Throws: what is wrong with the line.
    public init(_ text: some StringProtocol) throws(TrustEntryError) {
        var words: [Substring] = []
        // The arrow needs no blanks around it: no host ends with a hyphen.
        for (index, side) in Substring(text).split(separator: TrustLine.arrow, omittingEmptySubsequences: false)
            .enumerated()
        {
            if index > 0 { words.append(TrustLine.arrow[...]) }
            words += side.split { $0 == " " || $0 == "\t" }
        }
        let arrow = words.firstIndex { $0 == TrustLine.arrow }
        guard words[..<(arrow ?? words.endIndex)].count == 1 else { throw .notAHost }
        var targets: [TrustEntry] = []
        if let arrow {
            let named = words[(arrow + 1)...]
            guard !named.isEmpty, !named.contains(TrustLine.arrow[...]) else { throw .arrowWithoutHost }
            for word in named { targets.append(try TrustEntry(word)) }
        }
        self.init(try TrustEntry(words[0]), targets: targets)
    }

    public mutating func add(_ others: [TrustEntry]) {
        for target in others where !targets.contains(target) { targets.append(target) }
    }

    public mutating func remove(_ others: [TrustEntry]) { targets.removeAll { others.contains($0) } }
}

extension TrustLine: CustomStringConvertible {
    public var description: String {
        guard !targets.isEmpty else { return entry.description }
        return "\(entry) \(TrustLine.arrow) \(targets.map(\.description).joined(separator: " "))"
    }
}
