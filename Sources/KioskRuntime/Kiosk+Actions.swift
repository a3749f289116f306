// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import Logging
import LoginValues
import Waiting

extension Kiosk {
    /// Does what the machine decided, in order, and shows where it stands now.
    ///
    /// - Parameter digit: the PIN digit that was just pressed, which the machine does not know.
    func carryOut(_ actions: [KioskAction], digit: UInt8? = nil) {
        for action in actions { carryOut(action, digit: digit) }
        var view = machine.view
        if machine.asksForCode { view.entry = .code(secrets.typedCode) }
        if machine.showsIssuedCode { view.entry = .digits(secrets.issuedCode) }
        if view != newestView {
            newestView = view
            viewIsShown = false
            screenWakeup.signal()
        }
        stopWhenNothingCanCome()
        adoptWhenIdle()
    }

    private func carryOut(_ action: KioskAction, digit: UInt8?) {
        switch action {
        case .openSession(let number):
            guard let seen = requestInView else { return }
            secrets.open(number, seen.request)
            domain = seen.domain
            record(.sessionOpened(number, domain: seen.domain))
        case .openErrand(let number, .localLogin, let place): open(place, number)
        case .openErrand(let number, let errand, let service): open(errand, services[service], number)
        case .closeSession(let number, let outcome):
            abandonOwnCode(of: number, outcome)
            secrets.close()
            offer = nil
            record(.sessionClosed(number, outcome))
        case .perform(let step, let number): begin(step, number)
        case .cancelStep(let number):
            guard let step, step.session == number else { return }
            step.cancellation.signal()
            self.step = nil
        case .abort(let number):
            if let accessCode = secrets.request(of: number)?.accessCode { enqueue(.abort(accessCode)) }
        case .deleteIdentity(let identity):
            enqueue(.delete(identity))
            record(.identityDeleted)
        case .forgetShares(let identity): enqueue(.forgetShares(identity))
        case .entry(let entryAction): carryOut(entryAction, digit: digit)
        case .code(let codeAction): carryOut(codeAction)
        case .startTimer(let timer, let duration, let number):
            deadlines[timer] = Deadline(elapsed: time.elapsed() + duration, session: number)
            timersWakeup.signal()
        case .stopTimer(let timer): deadlines[timer] = nil
        case .pauseCamera: setCamera(isWanted: false)
        case .resumeCamera: setCamera(isWanted: true)
        case .restCamera: setCamera(mayRest: true)
        case .wakeCamera: setCamera(mayRest: false)
        case .refused(let refusal): record(.codeRefused(refusal))
        case .cardTaken(let errand): record(.cardTaken(errand))
        case .consented(let number): record(.consented(number))
        case .consentRefused(let number): record(.consentRefused(number, domain: domain))
        }
    }

    private func carryOut(_ action: EntryAction, digit: UInt8?) {
        switch action {
        case .append: if let digit { secrets.append(digit) }
        case .removeLast: secrets.removeLastDigit()
        case .clear: secrets.clearEntry()
        case .wipe: secrets.wipeDigits()
        case .judgeNew: carryOut(machine.newPINJudged(secrets.judgeEntry()))
        case .compareNew: carryOut(machine.newPINsCompared(areEqual: secrets.entryMatchesPIN()))
        }
    }

    private func carryOut(_ action: CodeAction) {
        switch action {
        case .acceptTap: secrets.withCode { $0.acceptTap() }
        case .takeScanned: if let code = activationInView { secrets.withCode { $0.replace(with: code) } }
        case .wipe: secrets.withCode { $0.removeAll() }
        case .submit(let service): submitCode(services[service])
        }
    }

    private func begin(_ step: KioskStep, _ number: SessionNumber) {
        if step.takesTypedPIN { secrets.completeEntry() }
        let underWay = StepUnderWay(step: step, session: number)
        self.step = underWay
        enqueue(.step(underWay))
    }

    private func setCamera(isWanted: Bool) {
        cameraIsWanted = isWanted
        cameraWakeup.signal()
    }

    private func setCamera(mayRest: Bool) {
        cameraMayRest = mayRest
        cameraWakeup.signal()
    }

    func enqueue(_ job: Job) {
        if jobs.count >= Job.capacity {
            logger.error("the SDK does not answer: \(jobs.count) jobs wait, the oldest is dropped")
            jobs.removeFirst()
        }
        jobs.append(job)
        jobsWakeup.signal()
    }
}
