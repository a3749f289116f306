// SPDX-License-Identifier: Apache-2.0

/// The used part of the life of a card or of soldered flash memory (eMMC 5.0 and later, JESD84-B50; SD cards do not
/// report it).
public enum WearCheck {
    /// The memory estimates the tenth of its life that it is in. A value of 11 means that the life is over.
    private static let estimates = 1...11
    private static let lastTenths = 9
    /// Four fifths of the spare blocks are used.
    private static let reserveIsLow = 2
    private static let reserveIsUsed = 3

    /// - Returns: nil for a machine without such memory.
    public static func result(_ tree: SystemTree) -> CheckResult? {
        let cards = tree.names("sys/bus/mmc/devices").map { "sys/bus/mmc/devices/\($0)" }
            .filter { ["MMC", "SD"].contains(tree.line("\($0)/type")) }
        guard !cards.isEmpty else { return nil }
        return cards.map { result($0, tree) }.max { $0.status == .ok && $1.status != .ok }
    }

    private static func result(_ card: String, _ tree: SystemTree) -> CheckResult {
        // The card's maker chose its name, so only plain characters are kept.
        let label = String(
            (tree.line("\(card)/name") ?? "").filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.prefix(16))
        let title = label.isEmpty ? "the memory card" : "the memory \(label)"
        // One for each of two kinds of memory cells.
        let codes = (tree.line("\(card)/life_time") ?? "").split(separator: " ").prefix(2).compactMap(code)
        let reserve = tree.line("\(card)/pre_eol_info").flatMap { code(Substring($0)) } ?? 0
        guard let used = codes.filter(estimates.contains).max() else {
            return .ok("\(title) does not report its wear")
        }
        if used == estimates.upperBound || reserve == reserveIsUsed {
            return .warning(
                "\(title) is at the end of its life",
                remedy: "replace it now; back up first, as docs/storage.md describes")
        }
        let text = "\(title) has used \((used - 1) * 10) to \(used * 10) % of its life"
        guard used < lastTenths, reserve != reserveIsLow else {
            return .warning(text, remedy: "replace it soon; back up first, as docs/storage.md describes")
        }
        return .ok(text)
    }

    /// The kernel writes `0x02`.
    private static func code(_ text: Substring) -> Int? {
        text.hasPrefix("0x") ? Int(text.dropFirst(2), radix: 16) : nil
    }
}
