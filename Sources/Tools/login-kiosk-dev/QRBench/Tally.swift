// SPDX-License-Identifier: Apache-2.0

/// Counts of a folder or category.
struct Tally: Encodable, Equatable {
    /// Pictures of which an expected text was read,
    var read = 0
    /// of so many that ask for one.
    var of = 0
    /// Texts that were read and are not in the picture, and all that was read where nothing is to be read.
    var wrong = 0
    /// Texts of photographs that were read beside an expected one and are not labelled.
    var unlisted = 0
    /// Pictures whose rule is met, whatever it is,
    var met = 0
    /// of all.
    var images = 0

    mutating func add(_ verdict: Verdict, for entry: ManifestEntry) {
        read += verdict.isRead ? 1 : 0
        of += entry.rule.asksForText ? 1 : 0
        wrong += verdict.wrong
        unlisted += verdict.unlisted
        met += verdict.isMet ? 1 : 0
        images += 1
    }
}

/// Counts over all manifests.
struct Totals: Encodable, Equatable {
    /// By the file's first folder.
    var folder: [String: Tally] = [:]
    var category: [String: Tally] = [:]

    mutating func add(_ verdict: Verdict, for entry: ManifestEntry) {
        folder[entry.folder, default: Tally()].add(verdict, for: entry)
        category[entry.category, default: Tally()].add(verdict, for: entry)
    }
}
