// SPDX-License-Identifier: Apache-2.0

/// Counts of a folder or category.
struct Tally: Encodable, Equatable {
    /// Pictures whose expected text was read.
    var read = 0
    /// Pictures with an expected text.
    var of = 0
    /// Texts that were read and are not in the picture, and all texts where nothing should be read.
    var wrong = 0
    /// Texts of photographs that were read besides an expected one and are not labelled.
    var unlisted = 0
    /// Pictures that met their rule.
    var met = 0
    /// All pictures.
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
    /// Counts by the file's first folder.
    var folder: [String: Tally] = [:]
    var category: [String: Tally] = [:]

    mutating func add(_ verdict: Verdict, for entry: ManifestEntry) {
        folder[entry.folder, default: Tally()].add(verdict, for: entry)
        category[entry.category, default: Tally()].add(verdict, for: entry)
    }
}
