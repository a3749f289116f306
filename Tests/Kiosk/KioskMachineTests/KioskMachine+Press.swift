// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts

extension KioskMachine {
    /// A key outside a PIN and outside an access code.
    mutating func press(_ key: Key) -> [KioskAction] {
        switch key {
        case .digit(let digit): keyPressed(.digit(digit))
        case .enter: keyPressed(.enter)
        case .clear: keyPressed(.clear)
        case .back: keyPressed(.back)
        case .menu: keyPressed(.menu)
        case .character(let character): keyPressed(.character(character))
        }
    }

    /// The entry of an errand in the menu that is open, on whichever of its pages it stands.
    mutating func pressEntry(_ errand: Errand) -> [KioskAction] {
        for _ in Errand.allCases {
            let entry = view.actions.first { $0.label.key == errand.title }
            if let entry { return press(entry.key) }
            _ = keyPressed(.menu)
        }
        return []
    }

    /// Whether what another step would bring is no success here, but a failure that the person hears of.
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
