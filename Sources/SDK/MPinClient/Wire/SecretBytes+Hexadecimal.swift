// SPDX-License-Identifier: Apache-2.0

import Encoding
import LoginValues

extension SecretBytes {
    /// - Parameter counts: the permitted number of bytes.
    /// - Returns: nil when `digits` is not an even number of hexadecimal digits within `counts`.
    convenience init?(hex digits: Span<UInt8>, counts: ClosedRange<Int>) {
        guard digits.count.isMultiple(of: 2), counts.contains(digits.count / 2) else { return nil }
        var isHex = true
        self.init(count: digits.count / 2) { bytes in
            for index in bytes.indices {
                guard let high = Hexadecimal.value(of: digits[index * 2]),
                    let low = Hexadecimal.value(of: digits[index * 2 + 1])
                else {
                    isHex = false
                    return
                }
                bytes[index] = high << 4 | low
            }
        }
        guard isHex else { return nil }
    }
}
