// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LinuxSystem
import Logging

// Reports of the ports, passed to the machine.
extension Kiosk {
    func reported(_ report: KeypadReport) {
        measureScreen()
        switch report {
        case .pressed(let press): pressed(press)
        case .keysLost(let reason):
            logger.notice("keys lost", metadata: ["reason": "\(reason)"])
            carryOut(machine.keysLost())
        case .available: keypadChanged(isWorking: true)
        case .unavailable(let reason):
            logger.warning("no keys", metadata: ["reason": "\(reason)"])
            keypadChanged(isWorking: false)
        case .trouble(let reason): logger.warning("keypad", metadata: ["reason": "\(reason)"])
        }
    }

    func measureScreen() {
        machine.timeIs(time.elapsed())
        var view = machine.view
        view.keyNames = keypad.keyNames
        machine.screenMeasured(
            documentRoom: screen.documentRoom, leavesFactsOut: screen.leavesFactsOut(of: view))
    }

    private func keypadChanged(isWorking: Bool) {
        record(.keypadChanged(isWorking: isWorking))
        carryOut(machine.keypadChanged(isWorking: isWorking))
    }

    private func pressed(_ press: KeyPress) {
        // The screen has changed since it was touched.
        if let touched = press.touched, !touched.isStill(machine.view, press.key) { return }
        let key = if case .pin = machine.secretEntry { press.keyAtPIN } else { press.key }
        switch (key, machine.secretEntry) {
        // A pasted PIN is ignored, and a pasted line feed must not submit it.
        case (.digit, .pin) where press.isBurst, (.enter, .pin) where press.isBurst: carryOut(machine.keysLost())
        case _ where press.isBurst && machine.hearsResetKeys: carryOut(machine.keysLost())
        case (.digit(let digit), .pin): carryOut(machine.keyPressed(.pinDigit), pressed: digit)
        case (let key, .code(let tapsLetters)) where editedCode(key, tapsLetters: tapsLetters):
            carryOut(machine.keyPressed(.codeKey))
        case (let key, _): carryOut(machine.keyPressed(KnownKey(key)))
        }
    }

    /// - Returns: false for a key that the machine handles.
    private func editedCode(_ key: Key, tapsLetters: Bool) -> Bool {
        file.withCode { code in
            switch key {
            case .digit(let digit): code.press(digit, tapsLetters: tapsLetters)
            case .character(let character): code.append(character)
            case .clear: code.removeAll()
            case .back: return code.removeLast()
            // There is nothing to submit.
            case .enter: return code.isEmpty
            case .menu: return false
            }
            return true
        }
    }

    func reported(_ report: SymbolSourceReport) {
        switch report {
        case .symbol(let symbol): seen(symbol)
        case .hint(let advice):
            machine.hintChanged(advice.hint)
            carryOut([])
        case .statistics(let statistics): for observer in observers { observer.looked(statistics) }
        case .looking(let duration): logger.notice("a picture takes long", metadata: ["so far": "\(duration.text)"])
        case .skipped(let reason): logger.warning("a picture is left out", metadata: ["reason": "\(reason)"])
        case .passedOver(let reasons):
            for reason in reasons where !passedOver.contains(reason) {
                logger.warning("camera passed over", metadata: ["reason": "\(reason)"])
            }
            passedOver = reasons
            for observer in observers { observer.passedOver(reasons) }
        case .available: cameraChanged(trouble: nil)
        case .unavailable(let reason):
            logger.warning("no pictures", metadata: ["reason": "\(reason)"])
            cameraChanged(trouble: reason.kind)
        }
    }

    private func cameraChanged(trouble: ScannerTrouble.Kind?) {
        record(.cameraChanged(isWorking: trouble == nil))
        machine.cameraChanged(trouble: trouble)
        carryOut([])
    }

    private func seen(_ symbol: Symbol) {
        measureScreen()
        let former = machine.session
        carryOut(machine.symbolSeen(reading(of: symbol)))
        if machine.session != nil, machine.session != former {
            for observer in observers { observer.codeRead(taken: symbol.sighting.captured) }
        }
    }

    func stepEnded(_ result: Result<StepAnswer, KioskFailure>, session number: SessionNumber) {
        measureScreen()
        switch result {
        case .success(.identityDeleted): record(.identityDeleted)
        case .success: break
        case .failure(let failure):
            for observer in observers { observer.stepFailed(failure.outcome) }
            if failure.outcome == .wrongPIN { file.noteWrongPIN() }
            logger.info("step failed", metadata: ["session": "\(number)", "reason": "\(failure.outcome.rawValue)"])
        }
        carryOut(machine.stepEnded(fitting(result), session: number))
    }

    /// Turns a card that does not fit the screen into a failure: nobody could photograph it.
    private func fitting(_ result: Result<StepAnswer, KioskFailure>) -> Result<StepAnswer, KioskFailure> {
        guard case .success(.cardWritten) = result, !screen.hasRoom(for: .card(file.issuedCode)) else { return result }
        return .failure(KioskFailure(.notOffered, .cardNeedsRoom, status: "SCREEN_TOO_SMALL"))
    }
}

extension KnownKey {
    /// A key outside of any secret.
    fileprivate init(_ key: Key) {
        self =
            switch key {
            case .digit(let digit): .digit(digit)
            case .enter: .enter
            case .clear: .clear
            case .back: .back
            case .menu: .menu
            case .character(let character): .character(character)
            }
    }
}
