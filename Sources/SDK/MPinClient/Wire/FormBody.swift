// SPDX-License-Identifier: Apache-2.0

import Encoding
import LoginValues

/// A request body of the type `application/x-www-form-urlencoded`, written straight into wiped bytes.
enum FormBody {
    /// - Parameter fields: names of letters, and values of any bytes, in their order.
    static func encoded(_ fields: KeyValuePairs<StaticString, SecretBytes>) -> SecretBytes {
        let capacity = fields.reduce(0) { $0 + $1.key.utf8CodeUnitCount + 2 + $1.value.count * 3 }
        return SecretBytes(capacity: capacity) { output in
            for (index, field) in fields.enumerated() {
                if index > 0 { output.append(UInt8(ascii: "&")) }
                output.append(field.key.description)
                output.append(UInt8(ascii: "="))
                field.value.withBytes { bytes in
                    for index in bytes.indices { append(bytes[index], to: &output) }
                }
            }
        }
    }

    /// A blank becomes `%20` and not `+`, which not every reader decodes.
    private static func append(_ byte: UInt8, to output: inout OutputSpan<UInt8>) {
        guard !PercentEncoding.isUnreserved(byte) else { return output.append(byte) }
        output.append(UInt8(ascii: "%"))
        output.append(Hexadecimal.capitalDigit(byte >> 4))
        output.append(Hexadecimal.capitalDigit(byte & 15))
    }
}
