// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The three formats of a time on the wire.
extension WallTime {
    /// `YYYY-MM-DDTHH:MM:SSZ`: `expires` of the D-TAs and `expireTime` towards the relying party.
    package var zonedText: String { text(.standard) }

    /// `YYYY-MM-DDTHH:MM:SS.ffffff` without a zone letter: `expireTime` and `nowTime` of the registration reply.
    package var zonelessText: String { text(.standard).dropLast() + microseconds }

    /// `YYYY-MM-DD HH:MM:SS.ffffff`: `issued` inside an mpin_id.
    package var issuedText: String { text(.space).dropLast() + microseconds }

    /// Reads `YYYY-MM-DDTHH:MM:SSZ`; nil for anything else.
    package init?(zonedText: String) {
        guard zonedText.utf8.count == 20, let date = try? Date(zonedText, strategy: .iso8601) else { return nil }
        self.init(seconds: Int64(date.timeIntervalSince1970))
        // Foundation reads other formats as well.
        guard self.zonedText == zonedText else { return nil }
    }

    private func text(_ separator: Date.ISO8601FormatStyle.DateTimeSeparator) -> String {
        Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(
            Date.ISO8601FormatStyle(dateTimeSeparator: separator))
    }

    private var microseconds: String { "." + String(1000 + milliseconds - seconds * 1000).dropFirst() + "000" }
}
