// SPDX-License-Identifier: Apache-2.0

import KioskCore
import Logging
import LoginValues

// What the ports report, told to the machine.
extension Kiosk {
    func pressed(_ press: KeyPress) {
        switch press.key {
        case .digit(let digit):
            guard machine.asksForPIN else { return carryOut(machine.digitPressed(digit)) }
            guard !press.isBurst else { return carryOut(machine.burstRefused()) }
            carryOut(machine.pinDigitPressed(), digit: digit)
        // A pasted PIN must not be submitted by the line feed behind it.
        case .enter: carryOut(press.isBurst && machine.asksForPIN ? machine.burstRefused() : machine.enterPressed())
        case .clear: carryOut(machine.clearPressed())
        case .back: carryOut(machine.backPressed())
        case .menu: carryOut(machine.menuPressed())
        case .character(let character): carryOut(machine.characterPressed(character))
        }
    }

    func reported(_ report: SymbolSourceReport) {
        switch report {
        case .symbol(let symbol): seen(symbol)
        case .hint(let advice):
            machine.hintChanged(advice.hint)
            carryOut([])
        case .statistics: break
        case .available: cameraChanged(isWorking: true)
        case .unavailable(let reason):
            logger.warning("no pictures", metadata: ["reason": "\(reason)"])
            cameraChanged(isWorking: false)
        }
    }

    private func cameraChanged(isWorking: Bool) {
        record(.cameraChanged(isWorking: isWorking))
        machine.cameraChanged(isWorking: isWorking)
        carryOut([])
    }

    /// The grammar and the trust list decide before anything leaves the kiosk.
    private func seen(_ symbol: Symbol) {
        let verdict: CodeReading.Verdict
        do {
            let request = try LoginRequest(symbol)
            switch trust.judge(request.baseURL.origin) {
            case .allowed(let entry):
                requestInView = (request, entry.description)
                verdict = .login(domain: entry.description)
            case .refused(let refusal): verdict = .refused(.untrusted(refusal))
            }
        } catch {
            verdict = .refused(error)
        }
        carryOut(machine.symbolSeen(CodeReading(digest: CodeDigest(symbol.payload), verdict: verdict)))
        requestInView = nil
    }

    func answered(_ answer: StepAnswer, session number: SessionNumber) {
        switch answer {
        case .serviceFound(let offer):
            self.offer = (number, offer)
            carryOut(machine.serviceFound(offer.name, session: number))
        case .backendOpened(let details): carryOut(machine.backendOpened(details, session: number))
        case .registrationStarted(let identity): carryOut(machine.registrationStarted(identity, session: number))
        case .registrationConfirmed: carryOut(machine.registrationConfirmed(session: number))
        case .registrationFinished: carryOut(machine.registrationFinished(session: number))
        case .authenticationStarted: carryOut(machine.authenticationStarted(session: number))
        case .authenticated: carryOut(machine.authenticated(session: number))
        case .failed(let failure):
            logger.info("step failed", metadata: ["session": "\(number)", "reason": "\(failure.reason.rawValue)"])
            carryOut(machine.stepFailed(failure, session: number))
        }
    }
}
