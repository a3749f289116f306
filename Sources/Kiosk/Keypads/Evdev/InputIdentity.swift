// SPDX-License-Identifier: Apache-2.0

/// The name and the position of an input device.
public struct InputIdentity: Hashable, Sendable {
    public let name: String
    /// The port that it is plugged in to, in the kernel's words; may be empty.
    public let place: String
    public let vendor: UInt16
    public let product: UInt16

    static func product(_ vendor: UInt16, _ product: UInt16) -> String {
        [vendor, product].map { number in
            let digits = String(number, radix: 16)
            return String(repeating: "0", count: 4 - digits.count) + digits
        }.joined(separator: ":")
    }
}

extension InputIdentity: CustomStringConvertible {
    public var description: String { "\(name) (\(InputIdentity.product(vendor, product)))" }
}
