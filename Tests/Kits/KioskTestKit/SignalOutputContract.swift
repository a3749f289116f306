// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// The contract of every ``SignalOutput``, real or fake.
public struct SignalOutputContract: Sendable {
    private let output: any SignalOutput
    private let parts: SignalLevel
    private let lit: @Sendable () async throws -> SignalLevel

    /// - Parameters:
    ///   - parts: the device's lamps and buzzer.
    ///   - lit: the parts that are on.
    public init(
        _ output: any SignalOutput, parts: SignalLevel, lit: @escaping @Sendable () async throws -> SignalLevel
    ) {
        self.output = output
        self.parts = parts
        self.lit = lit
    }

    /// - Throws: the broken rule, or the device's error.
    public func check() async throws {
        for before in Self.levels {
            for level in Self.levels {
                for next in [before, level] {
                    try await output.set(next)
                    let lit = try await lit()
                    try ContractViolation.check(
                        lit == next.intersection(parts),
                        "all that is asked for is on, and nothing else: \(next), not \(lit)")
                }
            }
        }
        try await output.set([])
    }

    private static let levels = (0..<8).map { SignalLevel(rawValue: $0) }
}
