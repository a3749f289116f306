// SPDX-License-Identifier: Apache-2.0

/// Looks for finder patterns: on any line through the middle, dark and light follow each other as 1:1:3:1:1
/// (ISO/IEC 18004, 6.3.3).
struct FinderPatterns: ~Copyable {
    /// Patterns that are kept: those of 16 symbols.
    private static let most = 48
    /// Rows after which candidates are looked at more closely: the list stays short, and each find is compared with it.
    private static let rowsBetweenLooks = 64
    /// Modules between the middles of two finds below which they are one pattern.
    private static let leastDistance: Float = 2

    private var candidates = FinderCandidates()
    private var rays = FinderRays()
    /// The best ones first.
    private(set) var found: [FinderPattern] = []

    init() { found.reserveCapacity(FinderPatterns.most + 1) }

    mutating func begin() { found.removeAll(keepingCapacity: true) }

    /// Adds what a black and white picture shows.
    ///
    /// - Parameter step: rows from one that is looked at to the next.
    mutating func search(_ picture: borrowing GreyPicture, step: Int) {
        candidates.begin()
        for y in stride(from: 0, to: picture.height, by: step) {
            candidates.searchRow(picture, y)
            let rows = y / step + 1
            if rows.isMultiple(of: FinderPatterns.rowsBetweenLooks) { confirm(before: Float(y), picture, step: step) }
        }
        confirm(before: .infinity, picture, step: step)
    }

    /// Looks more closely at the candidates that no further row will meet. At least a third of the rows through the
    /// middle have to show a candidate: the middle is three modules high.
    private mutating func confirm(before row: Float, _ picture: borrowing GreyPicture, step: Int) {
        for candidate in candidates.removeAll(before: row) where Float(candidate.rows * step) >= candidate.module {
            if let pattern = rays.pattern(candidate, picture) { keep(pattern.scaled(by: picture.scale)) }
        }
    }

    private mutating func keep(_ pattern: FinderPattern) {
        let same = found.firstIndex {
            $0.isInverted == pattern.isInverted
                && ($0.centre - pattern.centre).length < FinderPatterns.leastDistance * max($0.module, pattern.module)
        }
        if let same {
            if found[same].agreement >= pattern.agreement { return }
            found.remove(at: same)
        }
        found.insert(pattern, at: found.firstIndex { $0.agreement < pattern.agreement } ?? found.count)
        if found.count > FinderPatterns.most { found.removeLast() }
    }
}
