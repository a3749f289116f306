// SPDX-License-Identifier: Apache-2.0

extension AuditVerifier {
    /// The last line's number and hash, to be written down elsewhere; nil without a line.
    public var headLine: String? { last.flatMap { last in head.map { "head of line \(last.number): \($0)" } } }

    /// The result in one sentence, and ``headLine``.
    public var summary: String {
        guard let first, let last, let headLine else { return "no line of a record" }
        let after = anchor.map { ", \(last.number - $0) lines after the hash that was written down" } ?? ""
        return "\(breaches == 0 ? "ok" : "\(breaches) breaches"): \(entries) entries, lines "
            + "\(first.number) to \(last.number), \(first.time) to \(last.time)\(after)\n\(headLine)"
    }
}
