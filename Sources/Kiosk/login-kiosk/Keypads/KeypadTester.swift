// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import Keypads
import KioskPorts

/// Prints a keypad's reports, and the faults of its wires.
struct KeypadTester {
    let specification: KeypadSpecification
    let showsDigits: Bool
    let asJSON: Bool
    /// Whether nothing is printed: a panel shows the findings.
    var isSilent = false
    /// Called with each accepted key.
    var note: @Sendable (Key) -> Void = { _ in }

    /// Runs until the keypad ends or the task is cancelled.
    func run() async throws {
        if case .gpio(let settings) = specification {
            try await inspect(settings)
        } else {
            for await report in try specification.keypad(on: BarePanel()).reports() {
                switch report {
                case .pressed(let press): try tell(press)
                case .keysLost(let reason): try tell(.lost, reason)
                case .available: try tell(.ready, "keys come")
                case .unavailable(let reason): try tell(.missing, reason)
                case .trouble(let reason): try tell(.trouble, reason)
                }
            }
        }
    }

    private func inspect(_ settings: MatrixSettings) async throws {
        var pressed = PressedKeys(settings.layout)
        var isExplained = false
        for await report in GPIOMatrixKeypad(settings).inspection() {
            switch report {
            case .opened(let findings):
                for finding in findings { try tell(.wiring, finding.sentence(settings.name)) }
                try tell(.ready, "keys come")
            case .event(.pressed(let position)):
                if let key = settings.layout.key(at: position) { try tell(KeyPress(key)) }
                pressed.append(position)
                if pressed.isComplete, !isExplained {
                    isExplained = true
                    try explain(pressed, settings)
                }
            case .event(.refused): try tell(.lost, "several keys were pressed at once")
            case .event(.stuck(let position)):
                try tell(.trouble, showsDigits ? "the key in \(position) is stuck" : "a key is stuck")
            case .event(.held), .event(.released), .event(.freed): break
            case .edgesLost(let count): try tell(.trouble, "\(count) edges were not read in time")
            case .failed(let error): try tell(.missing, "\(error)")
            }
        }
        if !isExplained, !pressed.positions.isEmpty { try explain(pressed, settings) }
    }

    private func explain(_ pressed: PressedKeys, _ settings: MatrixSettings) throws {
        let findings = pressed.findings
        if findings.isEmpty { try tell(.wiring, "every key came in its order: nothing is wrong") }
        for finding in findings { try tell(.wiring, finding.sentence(settings.name)) }
    }

    private func tell(_ press: KeyPress) throws {
        note(press.key)
        try write(KeypadTestRecord("\(specification)", press, isShown: showsDigits))
    }

    private func tell(_ event: KeypadTestRecord.Event, _ text: String) throws {
        try write(KeypadTestRecord("\(specification)", event, text))
    }

    private func write(_ record: KeypadTestRecord) throws {
        if isSilent { return }
        if asJSON { return try JSONOutput.write(record) }
        try Output.write("\(record.line)\n")
    }
}
