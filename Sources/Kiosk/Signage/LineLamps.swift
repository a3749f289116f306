// SPDX-License-Identifier: Apache-2.0

public import KioskPorts
import Synchronization

/// Lamps and buzzer at GPIO lines.
public final class LineLamps<Bank: LineBank & ~Copyable>: SignalOutput {
    private let parts: [SignalLevel]
    private let bank: Mutex<Bank>

    /// - Parameters:
    ///   - bank: outputs, one line for each part.
    ///   - parts: the lamp or buzzer at each line.
    public init(_ bank: consuming sending Bank, parts: [SignalLevel]) {
        self.parts = parts
        self.bank = Mutex(bank)
    }

    public func set(_ level: SignalLevel) async throws {
        var active: UInt64 = 0
        for (line, part) in parts.enumerated() where level.contains(part) { active |= 1 << UInt64(line) }
        try bank.withLock { bank throws(LineError) in try bank.set(active) }
    }
}

extension SignalSettings {
    /// The first settings of the lines: inactive outputs.
    public var lines: [LineSettings] {
        parts.map { _ in LineSettings(.output(isActive: false), isActiveLow: isActiveLow) }
    }
}
