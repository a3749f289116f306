// SPDX-License-Identifier: Apache-2.0

/// A system call that a confined process may make.
public struct AllowedCall {
    /// A condition on the arguments. The kernel uses 32 bits of most of them, and so does the comparison. A filter
    /// sees numbers and addresses, not the memory at an address.
    public enum Condition {
        case argument(Int, is: UInt32)
        /// The argument has none of these bits.
        case without(UInt32, in: Int)
        /// The upper 32 bits of an address.
        case upperHalf(Int, is: UInt32)
    }

    public let name: String
    /// Nil when the processor has no such call.
    private let numbers: (amd64: UInt32?, arm64: UInt32?)
    /// All conditions of one of these must hold; an empty one always does.
    public let alternatives: [[Condition]]

    public init(
        _ name: String, amd64: UInt32? = nil, arm64: UInt32? = nil, when alternatives: [Condition]...
    ) {
        self.init(name, amd64: amd64, arm64: arm64, whenAnyOf: alternatives.isEmpty ? [[]] : alternatives)
    }

    public init(_ name: String, amd64: UInt32? = nil, arm64: UInt32? = nil, whenAnyOf alternatives: [[Condition]]) {
        self.name = name
        numbers = (amd64, arm64)
        self.alternatives = alternatives
    }

    public func number(on interface: KernelInterface) -> UInt32? {
        switch interface {
        case .amd64: numbers.amd64
        case .arm64: numbers.arm64
        }
    }
}
