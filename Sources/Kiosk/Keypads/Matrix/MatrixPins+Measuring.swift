// SPDX-License-Identifier: Apache-2.0

import KioskPorts

extension MatrixPins where Bank: ~Copyable {
    /// Enough scans to find a floating wire, unless it is steady by chance.
    private static var looksAtRest: Int { 32 }

    /// Measures the wires, while no key is pressed. Afterwards no line is driven.
    mutating func measure() throws(LineError) -> WiringMeasurement {
        var measurement = WiringMeasurement(settings.layout.size)
        try drive(nil)
        for _ in 0..<Self.looksAtRest {
            clock.pause(for: settings.settle)
            measurement.atRest.append(try levels())
        }
        for wire in 0..<settings.rows.count + settings.columns.count {
            try drive(wire)
            clock.pause(for: settings.settle)
            measurement.whileDriven.append(try levels())
        }
        try drive(nil)
        // Configures rows as scans need them, which only set values of rows that stay outputs.
        try banks.rows.configure(settings.rows.map { _ in settings.row(isDriven: false) })
        return measurement
    }

    /// - Parameter wire: the only one to drive, columns counted after rows.
    private mutating func drive(_ wire: Int?) throws(LineError) {
        let rows = settings.rows.count
        // Releases all lines first.
        try banks.rows.configure(settings.rows.indices.map { settings.measured(isDriven: $0 == wire) })
        try banks.columns.configure(settings.columns.indices.map { settings.measured(isDriven: rows + $0 == wire) })
    }

    private mutating func levels() throws(LineError) -> UInt64 {
        try banks.rows.values() | banks.columns.values() << UInt64(settings.rows.count)
    }
}
