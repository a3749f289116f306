// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LinuxSystem
import Logging
import MPinClient
import PersonalCards

extension Kiosk {
    /// Carries out the machine's actions, in order, and shows the new view.
    ///
    /// - Parameter digit: the pressed digit of a PIN.
    func carryOut(_ actions: [KioskAction], pressed digit: UInt8? = nil) {
        for action in actions { carryOut(action, digit) }
        var view = machine.view
        view.keyNames = keypad.keyNames
        if case .code = machine.secretEntry { view.entry = .code(file.typedCode) }
        if machine.showsIssuedCard { view.entry = .card(file.issuedCode) }
        if machine.showsOwnKey, let provisioning, screen.hasRoom(for: .card(provisioning.ownKey)) {
            view.entry = .card(provisioning.ownKey)
        }
        if machine.showsIssuedCode { view.entry = .digits(file.issuedCode) }
        if view != newestView {
            newestView = view
            viewToShow.put(view)
        }
        stopWhenNothingCanCome()
        adoptWhenIdle()
    }

    private func carryOut(_ action: KioskAction, _ digit: UInt8?) {
        switch action {
        case .openSession(let number, let handle):
            guard let request = handle.seen?.request else {
                return logger.error("a session without a request", metadata: ["session": "\(number)"])
            }
            file.open(request)
            sessionStart = time.elapsed()
            record(.sessionOpened(number, domain: request.domain))
        case .openTask(let number, let task, let place):
            let request =
                task.isDoneAtDoors ? SessionRequest(localLogins[place]) : SessionRequest(services[place])
            file.open(request, for: task)
            sessionStart = time.elapsed()
            record(.taskBegun(number, task, domain: request.domain))
        case .keepCard(let handle):
            let card = handle.seen?.card
            file.keep(card: card?.card)
            if let text = card?.text { machine.cardMeasured(fitsScreen: screen.hasRoom(for: .card(text))) }
            record(.personalCardTaken)
        case .dropCard: file.keep(card: nil)
        case .applyProfile(let handle): if let profile = handle.seen?.profile { enqueue(.applyProfile(profile)) }
        case .adoptProfile: adoptProfile()
        case .reset: enqueue(.reset)
        case .restart:
            mustRestart = true
            nothingCanCome.signal()
        case .closeSession(let number, let outcome): close(number, outcome)
        case .perform(let step, let number): begin(step, number)
        case .cancelStep(let number):
            guard let step, step.session == number else { return }
            step.cancellation.signal()
            self.step = nil
        case .abort: if let session = AbandonedSession(file) { enqueue(.abort(session)) }
        case .deleteIdentity(let identity):
            enqueue(.delete(identity))
            record(.identityDeleted)
        case .forgetShares(let identity): enqueue(.forgetShares(identity))
        case .entry(let entryAction): carryOut(entryAction, digit)
        case .code(let codeAction): carryOut(codeAction)
        case .startTimer(let timer, let duration, let number):
            let elapsed = time.elapsed() + machine.duration(of: timer, duration)
            timers.start(timer, at: elapsed, session: number)
        case .stopTimer(let timer): timers.stop(timer)
        case .pauseCamera: orderCamera { $0.isWanted = false }
        case .resumeCamera: orderCamera { $0.isWanted = true }
        case .restCamera: orderCamera { $0.mayRest = true }
        case .wakeCamera: orderCamera { $0.mayRest = false }
        case .unexpectedAnswer(let number):
            logger.error("a step was answered by what another one brings", metadata: ["session": "\(number)"])
        case .refused(let refusal): record(.codeRefused(refusal))
        case .cardTaken(let task): record(.cardTaken(task))
        case .consented(let number): record(.consented(number))
        case .unverifiedWrongPIN(let number): record(.unverifiedWrongPIN(number))
        case .unverifiedHeldUp(let number): record(.unverifiedHeldUp(number))
        case .registrationHeldUp(let number): record(.registrationHeldUp(number))
        case .consentRefused(let number): record(.consentRefused(number, domain: file.request?.domain ?? ""))
        }
    }

    private func close(_ number: SessionNumber, _ outcome: SessionOutcome) {
        // Tells the server that a login of the kiosk's own was given up.
        if outcome.abandonsCode, let code = file.ownCode { enqueue(.abort(.login(code))) }
        if let card = file.card {
            enqueue(.dismissGuests)
            // A person who showed a card and typed its PIN also owns the identity that is stored here under the same
            // name.
            if outcome.isSuccess { enqueue(.forgetTries(card.identity.key)) }
        }
        let ended = EndedSession(
            number: number, task: file.task, place: file.request?.place ?? "", userID: file.userID, outcome: outcome,
            wrongPINs: file.wrongPINs, isBrowserElsewhere: file.isBrowserElsewhere,
            duration: time.elapsed() - sessionStart, card: file.card?.period, newCard: file.newCard)
        for observer in observers { observer.ended(ended) }
        file.close()
        file = SessionFile()
        record(.sessionClosed(number, outcome))
    }

    private func carryOut(_ action: EntryAction, _ digit: UInt8?) {
        switch action {
        case .append: if let digit { file.append(digit) }
        case .removeLast: file.removeLastDigit()
        case .clear: file.clearEntry()
        case .wipe: file.wipeDigits()
        case .complete: file.completeEntry()
        case .keepOld: file.keepOldEntry()
        case .checkNew: carryOut(machine.newPINChecked(file.checkEntry()))
        case .compareNew: carryOut(machine.newPINsCompared(areEqual: file.entryMatchesPIN()))
        }
    }

    private func carryOut(_ action: CodeAction) {
        switch action {
        case .acceptTap: file.withCode { $0.acceptTap() }
        case .takeScanned(let handle):
            if let code = handle.seen?.activation { file.withCode { $0.replace(with: code) } }
        case .wipe: file.withCode { $0.removeAll() }
        case .submit(let service): submitCode(services[service])
        }
    }

    private func begin(_ step: KioskStep, _ number: SessionNumber) {
        // The kiosk's session ends first, then the browser's.
        if machine.session == number, let task = machine.task {
            file.note(task, userID: step.userID, isUnverified: machine.isUnverified(step))
        }
        let underWay = StepUnderWay(step: step, session: number, file: file)
        self.step = underWay
        enqueue(.step(underWay))
    }

    private func orderCamera(_ change: (inout CameraOrders) -> Void) {
        var orders = cameraOrders.value ?? CameraOrders()
        change(&orders)
        cameraOrders.put(orders)
    }

    func enqueue(_ job: Job) {
        if jobs.isFull {
            logger.error("the SDK does not answer: \(JobQueue.capacity) jobs wait, the oldest is dropped")
        }
        jobs.append(job)
    }
}
