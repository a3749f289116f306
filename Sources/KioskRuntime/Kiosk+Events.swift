// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import Logging
import LoginValues

// What the ports report, told to the machine.
extension Kiosk {
    func reported(_ report: KeypadReport) {
        machine.documentRoom = screen.documentRoom
        machine.screenLeavesFactsOut = screen.leavesFactsOut(of: machine.view)
        switch report {
        case .pressed(let press): pressed(press)
        case .keysLost(let reason):
            logger.notice("keys lost", metadata: ["reason": "\(reason)"])
            carryOut(machine.pinDigitsRefused())
        case .available: keypadChanged(isWorking: true)
        case .unavailable(let reason):
            logger.warning("no keys", metadata: ["reason": "\(reason)"])
            keypadChanged(isWorking: false)
        case .trouble(let reason): logger.warning("keypad", metadata: ["reason": "\(reason)"])
        }
    }

    private func keypadChanged(isWorking: Bool) {
        record(.keypadChanged(isWorking: isWorking))
        carryOut(machine.keypadChanged(isWorking: isWorking))
    }

    private func pressed(_ press: KeyPress) {
        if machine.asksForCode, editedCode(press.key) { return carryOut(machine.codeEdited()) }
        switch press.key {
        case .digit(let digit):
            guard machine.asksForPIN else { return carryOut(machine.digitPressed(digit)) }
            guard !press.isBurst else { return carryOut(machine.pinDigitsRefused()) }
            carryOut(machine.pinDigitPressed(), digit: digit)
        // A pasted PIN must not be submitted by the line feed behind it.
        case .enter: carryOut(press.isBurst && machine.asksForPIN ? machine.pinDigitsRefused() : machine.enterPressed())
        case .clear: carryOut(machine.clearPressed())
        case .back: carryOut(machine.backPressed())
        case .menu: carryOut(machine.menuPressed())
        case .character(let character): carryOut(machine.characterPressed(character))
        }
    }

    /// - Returns: false for a key that is the machine's business.
    private func editedCode(_ key: Key) -> Bool {
        let tapsLetters = machine.tapsCodeLetters
        return secrets.withCode { code in
            switch key {
            case .digit(let digit): code.press(digit, tapsLetters: tapsLetters)
            case .character(let character): code.append(character)
            case .clear: code.removeAll()
            case .back: return code.removeLast()
            // Nothing typed is nothing to send.
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
        case .statistics: break
        case .looking(let duration): logger.notice("a picture takes long", metadata: ["so far": "\(duration.text)"])
        case .skipped(let reason): logger.warning("a picture is left out", metadata: ["reason": "\(reason)"])
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

    private func seen(_ symbol: Symbol) {
        machine.documentRoom = screen.documentRoom
        let verdict: CodeReading.Verdict
        var card: ErrandCard?
        var document: Result<DocumentText, DocumentTextError>?
        do { verdict = judge(try LoginRequest(symbol), isTyped: false) } catch {
            verdict = .refused(error)
            card = ErrandCard(symbol)
            // What is no login is no secret.
            if machine.readsDocument { document = symbol.document }
        }
        let address = machine.readsText ? EmailAddress(symbol) : nil
        let activation = activation(in: symbol)
        carryOut(
            machine.symbolSeen(
                CodeReading(
                    digest: CodeDigest(symbol.payload), verdict: verdict, card: card, address: address,
                    activation: activation, document: document)))
        requestInView = nil
        activationInView = nil
    }

    /// A code that was typed is as good as one that was seen, and goes the same way.
    func submitCode(_ service: TypedService) {
        let symbol = service.symbol(accessCode: secrets.typedCode)
        let request = symbol.withBytes { bytes in try? LoginRequest(symbol: bytes) }
        let reading = request.map {
            CodeReading(digest: CodeDigest(symbol), verdict: judge($0, isTyped: true))
        }
        carryOut(machine.codeTyped(reading))
        requestInView = nil
    }

    /// The grammar and the trust list decide before anything leaves the kiosk.
    private func judge(_ request: LoginRequest, isTyped: Bool) -> CodeReading.Verdict {
        switch trust.judge(request.baseURL.origin) {
        case .allowed:
            // The host itself, which one line of the list may have many of.
            let place = request.baseURL.origin.place
            requestInView = (SessionRequest(request, isTyped: isTyped), place)
            return .login(domain: place)
        case .refused(let refusal): return .refused(.untrusted(refusal))
        }
    }

    func answered(_ answer: StepAnswer, session number: SessionNumber) {
        machine.documentRoom = screen.documentRoom
        switch answer {
        case .serviceFound(let offer):
            self.offer = (number, offer)
            carryOut(
                machine.serviceFound(offer.name, backend: offer.backendURL.origin.place, session: number))
        case .backendOpened(let details): carryOut(machine.backendOpened(details, session: number))
        case .registrationStarted(let identity): carryOut(machine.registrationStarted(identity, session: number))
        case .verificationStarted: carryOut(machine.verificationStarted(session: number))
        case .verified(let token):
            secrets.withCode { $0.replace(with: token) }
            carryOut(machine.verified(session: number))
        case .registrationConfirmed: carryOut(machine.registrationConfirmed(session: number))
        case .registrationFinished(let identity): carryOut(machine.registrationFinished(identity, session: number))
        case .authenticationStarted: carryOut(machine.authenticationStarted(session: number))
        case .authenticated(let canLogout):
            carryOut(machine.authenticated(canLogout: canLogout, session: number))
        case .codeIssued(let code): answered(code, session: number)
        case .doorOpened: carryOut(machine.doorOpened(session: number))
        case .identityConfirmed: carryOut(machine.identityConfirmed(session: number))
        case .identityDeleted:
            record(.identityDeleted)
            carryOut(machine.identityDeleted(session: number))
        case .loggedOut: carryOut(machine.loggedOut(session: number))
        case .signerRead(let identity): carryOut(machine.signerRead(identity, session: number))
        case .signingKeyStarted: carryOut(machine.signingKeyStarted(session: number))
        case .signingKeyFinished(let identity): carryOut(machine.signingKeyFinished(identity, session: number))
        case .documentPrepared(let hash): carryOut(machine.documentPrepared(hash, session: number))
        case .signed: carryOut(machine.signed(session: number))
        case .failed(let failure):
            logger.info("step failed", metadata: ["session": "\(number)", "reason": "\(failure.reason.rawValue)"])
            carryOut(machine.stepFailed(failure, session: number))
        }
    }
}
