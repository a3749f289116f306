// SPDX-License-Identifier: Apache-2.0

import BackendValues

extension PageWords {
    func number(_ value: some BinaryInteger) -> String {
        var (text, digits) = ("", Array(String(value)))
        while digits.count > 3 {
            text = plain(.thousands) + String(digits.suffix(3)) + text
            digits.removeLast(3)
        }
        return String(digits) + text
    }

    /// - Parameter zoned: `YYYY-MM-DDTHH:MM:SSZ`.
    func time(_ zoned: String) -> String {
        let parts = zoned.split { "-T:Z".contains($0) }.map(String.init)
        guard parts.count >= 5 else { return HTMLText.escaped(zoned) }
        return self(
            .dateFormat, ["year": parts[0], "month": parts[1], "day": parts[2], "time": parts[3] + ":" + parts[4]])
    }

    /// - Parameter zoned: as in ``time(_:)``.
    func timeElement(_ zoned: String) -> String { "<time datetime=\"\(zoned)\">\(time(zoned))</time>" }
}

extension HTMLText {
    /// Escapes text and isolates it, so that its direction does not affect its surroundings.
    static func isolated(_ text: String) -> String { "<bdi>\(escaped(text))</bdi>" }
}
