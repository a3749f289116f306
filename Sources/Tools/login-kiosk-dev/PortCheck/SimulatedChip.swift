// SPDX-License-Identifier: Apache-2.0

import GPIO
import Keypads
import KioskPorts
import KioskTestKit
import Signage

/// The chip of `kpsim`: a matrix of 4 x 3 and single lines.
enum SimulatedChip {
    private static let files = "/sys/bus/platform/devices/kpsim.0/"
    private static let layout = ["123", "456", "789", "*0#"]

    static func checkLines() throws {
        try LineBankContract<LineRequest> { wires, settings throws(LineError) in
            let addresses = wires.map { wire in
                switch wire {
                case .row(let index): LineAddress.named("KP_ROW\(index)")
                case .column(let index): LineAddress.named("KP_COL\(index)")
                }
            }
            return try ChipFinder().request(addresses, on: .usual, settings, user: "portcheck")
        } press: {
            // The contract finds out if this fails.
            try? set("0 0", isClosed: $0)
        }.check()
    }

    static func checkMatrix() async throws {
        let signs: [Key: Character] = [.digit(2): "2", .digit(5): "5", .digit(0): "0", .back: "*", .enter: "#"]
        let text = "gpio:chip=kpsim,rows=0/1/2/3,columns=4/5/6"
        guard case .gpio(let settings) = try KeypadSpecification(text) else { fatalError("\(text) is not a matrix") }
        let keypad = GPIOMatrixKeypad(settings)
        try await KeypadContract(
            keys: [.digit(2), .digit(5), .digit(5), .digit(0), .back, .enter], announces: true
        ) {
            KeypadContract.Subject(keypad) { key in
                guard let place = place(of: signs[key]) else { return }
                try set(place, isClosed: true)
                try await Task.sleep(for: .milliseconds(80))
                try set(place, isClosed: false)
                try await Task.sleep(for: .milliseconds(80))
            }
        }.check()
    }

    static func checkLamps() async throws {
        let parts: [SignalLevel] = [.green, .red, .buzzer]
        let lines = parts.indices.map { LineAddress.named("KP_EXTRA\($0)") }
        for isActiveLow in [false, true] {
            let dark = parts.map { _ in LineSettings(.output(isActive: false), isActiveLow: isActiveLow) }
            let lamps = LineLamps(
                try ChipFinder().request(lines, on: .usual, dark, user: "portcheck"), parts: parts)
            try await SignalOutputContract(lamps, parts: [.green, .red, .buzzer]) {
                let state = try TextFile.read(files + "state").split(separator: "\n")
                return parts.enumerated().reduce(into: SignalLevel()) { lit, part in
                    let line = state.first { $0.contains("KP_EXTRA\(part.offset) ") }
                    if line?.contains(isActiveLow ? "level=0" : "level=1") == true { lit.formUnion(part.element) }
                }
            }.check()
        }
    }

    private static func place(of sign: Character?) -> String? {
        for (row, signs) in layout.enumerated() {
            if let sign, let column = Array(signs).firstIndex(of: sign) { return "\(row) \(column)" }
        }
        return nil
    }

    private static func set(_ place: String, isClosed: Bool) throws {
        try TextFile.write(place, to: files + (isClosed ? "press" : "release"))
    }
}
