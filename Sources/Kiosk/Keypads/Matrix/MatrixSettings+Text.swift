// SPDX-License-Identifier: Apache-2.0

import GPIO
import KioskPorts

extension MatrixSettings {
    /// - Parameter text: `NAME=VALUE`, separated by commas.
    init(fields text: some StringProtocol) throws(KeypadSpecificationError) {
        var fields: [String: String] = [:]
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let words = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard words.count == 2,
                fields.updateValue(String(words[1]), forKey: String(words[0])) == nil
            else { throw KeypadSpecificationError(.unknownField, part) }
        }
        try self.init(fields: fields, text: String(text))
    }

    /// - Parameters:
    ///   - fields: the values by their names.
    ///   - text: their source, for error messages.
    init(fields: [String: String], text: String) throws(KeypadSpecificationError) {
        if let unknown = fields.keys.filter({ !MatrixSettings.names.contains($0) }).sorted().first {
            throw KeypadSpecificationError(.unknownField, unknown)
        }
        func value<Value>(
            _ name: String, _ usual: Value, _ parse: (String) -> Value?
        ) throws(KeypadSpecificationError) -> Value {
            guard let text = fields[name] else { return usual }
            guard let value = parse(text) else { throw KeypadSpecificationError(.badValue, "\(name)=\(text)") }
            return value
        }
        let rows = try value("rows", [], MatrixSettings.lines)
        let columns = try value("columns", [], MatrixSettings.lines)
        guard !rows.isEmpty, !columns.isEmpty else { throw KeypadSpecificationError(.linesMissing, text) }
        let settings = MatrixSettings(
            chip: try value("chip", .usual) { ChipAddress($0) }, rows: rows, columns: columns,
            layout: try value("layout", nil) { MatrixLayout($0).map { .some($0) } },
            isActiveLow: try value("active", true) { ["low": true, "high": false][$0] },
            drive: try value("idle", .switched) { RowDrive(rawValue: $0) },
            settle: try value("settle", MatrixSettings.usualSettle, MatrixSettings.microseconds))
        guard let settings else { throw KeypadSpecificationError(.linesDoNotFit, text) }
        self = settings
    }

    private static let names: Set<String> = ["rows", "columns", "chip", "layout", "active", "idle", "settle"]

    private static func lines(_ text: String) -> [LineAddress]? {
        let words = text.split(separator: "/", omittingEmptySubsequences: false)
        let lines = words.compactMap { LineAddress($0) }
        return lines.count == words.count ? lines : nil
    }

    private static func microseconds(_ text: String) -> Duration? {
        guard let number = UInt16(text), text.first != "+" else { return nil }
        let duration = Duration.microseconds(number)
        return settleRange.contains(duration) ? duration : nil
    }
}

extension MatrixSettings: CustomStringConvertible {
    public var description: String {
        func joined(_ lines: [LineAddress]) -> String { lines.map(\.description).joined(separator: "/") }
        var parts = ["rows=\(joined(rows))", "columns=\(joined(columns))"]
        if chip != .usual { parts.append("chip=\(chip)") }
        parts.append("layout=\(layout)")
        if !isActiveLow { parts.append("active=high") }
        if drive != .switched { parts.append("idle=\(drive.rawValue)") }
        if settle != MatrixSettings.usualSettle {
            let microseconds: Double = settle / .microseconds(1)
            parts.append("settle=\(Int(microseconds))")
        }
        return parts.joined(separator: ",")
    }
}
