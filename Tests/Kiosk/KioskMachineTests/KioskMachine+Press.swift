// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts

extension KioskMachine {
    /// Presses the entry of a task in the open menu, on any of its pages.
    mutating func pressEntry(_ task: KioskTask) -> [KioskAction] {
        for _ in KioskTask.allCases {
            let entry = view.actions.first { $0.label.key == task.title }
            if case .digit(let digit)? = entry?.key { return keyPressed(.digit(digit)) }
            _ = keyPressed(.menu)
        }
        return []
    }

    /// Whether the result of another step counts as a failure here and is shown to the person.
    func refuses(_ answer: StepAnswer) -> Bool {
        var machine = self
        _ = machine.stepEnded(.success(answer), session: .one)
        return machine.view.stage == .outcome && machine.view.tone == .failure
    }

    var typesPIN: Bool { secretEntry == .pin }
    var typesCode: Bool { if case .code = secretEntry { true } else { false } }
    var tapsCodeLetters: Bool { secretEntry == .code(tapsLetters: true) }
    var readsText: Bool { wantedReadings.contains(.address) }
    var readsDocument: Bool { wantedReadings.contains(.document) }
    var readsActivation: Bool { wantedReadings.contains(.activation) }
}
