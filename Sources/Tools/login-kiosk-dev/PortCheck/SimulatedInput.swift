// SPDX-License-Identifier: Apache-2.0

import Keypads
import KioskPorts
import KioskTestKit

/// The input device of `fakekeys`.
struct SimulatedInput {
    let selector: InputSelector
    /// The FIFO for the keys to type.
    let fifo: String

    func check() async throws {
        let signs: [Key: String] = [.digit(2): "2", .digit(5): "5", .digit(0): "0", .back: "B", .enter: "E"]
        let keypad = EvdevKeypad(selector)
        try await KeypadContract(
            keys: [.digit(2), .digit(5), .digit(5), .digit(0), .back, .enter], announces: true
        ) { [fifo] in
            KeypadContract.Subject(keypad) { try TextFile.write("type \(signs[$0] ?? "")\n", to: fifo) }
        }.check()
    }
}
