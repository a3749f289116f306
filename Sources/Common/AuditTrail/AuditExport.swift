// SPDX-License-Identifier: Apache-2.0

/// The line in forms for other programs.
extension AuditRecord {
    /// The first line of a file of comma-separated values, without its end.
    public static let tableHead = "number,time,event,service,who,outcome,detail,count"

    /// The line as comma-separated values (RFC 4180), without its end. Any texts make one line, and no
    /// spreadsheet takes them for a formula.
    public var tableRow: String {
        let fields: [String?]
        switch content {
        case .entry(let entry):
            fields = [entry.event, entry.service, entry.who, entry.outcome, entry.detail, "\(entry.count)"]
        case .follows(let hash): fields = ["(file)", nil, nil, "follows", hash.description, nil]
        case .cut(let count, _): fields = ["(damage)", nil, nil, "cut", "\(count) bytes", nil]
        case .missed(let count): fields = ["(damage)", nil, nil, "missed", "\(count) entries", nil]
        }
        return (["\(number)", time] + fields.map { $0.map(AuditRecord.cell) ?? "" }).joined(separator: ",")
    }

    private static func cell(_ text: String) -> String {
        let shown = RecordText.escaped(text).replacing("\\\"", with: "\"")
        let isFormula = shown.utf8.first.map { "=+-@\t\r".utf8.contains($0) } ?? false
        return "\"" + (isFormula ? "'" : "") + shown.replacing("\"", with: "\"\"") + "\""
    }

    /// The line as in its file, without the hash.
    public var json: String { String(decoding: body, as: UTF8.self) + "}" }

    /// A sentence for people, on one line.
    public var summary: String {
        switch content {
        case .entry(let entry):
            [entry.event, entry.outcome, entry.service, entry.who, entry.detail].map {
                $0.map(RecordText.escaped) ?? "-"
            }
            .joined(separator: "  ") + (entry.count > 1 ? "  \(entry.count) times" : "")
        case .follows: number == 1 ? "the audit log begins" : "a new file"
        case .cut(let count, _): "\(count) bytes before this line were cut off"
        case .missed(let count): "\(count) entries could not be written"
        }
    }
}
