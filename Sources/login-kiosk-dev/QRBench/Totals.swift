// SPDX-License-Identifier: Apache-2.0

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
