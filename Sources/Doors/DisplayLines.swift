// SPDX-License-Identifier: Apache-2.0

/// What a program printed, made safe for a log.
enum DisplayLines {
    /// One line: line ends become ` | `, other control and direction characters go.
    static func oneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).map { line in
            String(
                String.UnicodeScalarView(
                    line.unicodeScalars.filter { scalar in
                        switch scalar.properties.generalCategory {
                        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
                            .paragraphSeparator:
                            false
                        default: true
                        }
                    }))
        }.joined(separator: " | ")
    }
}
