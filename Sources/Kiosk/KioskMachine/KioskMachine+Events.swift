// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

// Everything that can happen. What belongs to the screen goes to the screen.
extension KioskMachine {
    public mutating func keyPressed(_ key: KnownKey) -> [KioskAction] {
        // The person cannot agree to what is not on the screen.
        if key == .enter, screenLeavesFactsOut, view.factCount > 0 { return [] }
        switch state {
        case .idle(let screen): return screen.pressed(key, &self)
        case .session(let session, let screen): return screen.pressed(key, session, &self)
        case .over(let conclusion): return conclusion.pressed(key, &self)
        case .stopped: return []
        }
    }

    /// Keys came faster than a hand types, or were lost: where a PIN is asked none of them counts, nor what was typed
    /// before.
    public mutating func keysLost() -> [KioskAction] {
        guard case .session(let session, let screen) = state else { return forgetResetKeys() }
        return screen.keysWereLost(session, &self)
    }

    /// The keypad came or went. It is told on the scan screen. What was typed of a PIN is wiped when it goes: the next
    /// key may come from another hand.
    public mutating func keypadChanged(isWorking: Bool) -> [KioskAction] {
        isKeypadWorking = isWorking
        return isWorking ? [] : keysLost()
    }

    /// Whether the clock can be believed. Without the time no certificate can be judged and no permit is of the right
    /// day, so nothing is begun; what is under way ends by itself.
    public mutating func clockChanged(isSet: Bool) { isClockSet = isSet }

    /// The camera came or went. It is told on the scan screen; a session that has its code goes on without.
    ///
    /// - Parameter trouble: why no pictures come; nil when they come.
    public mutating func cameraChanged(trouble: ScannerTrouble.Kind?) {
        cameraTrouble = trouble
        scanHint = nil
    }

    /// Takes the hint about what keeps codes from being read, for the scan screen; nil when nothing does any more.
    public mutating func hintChanged(_ hint: ScannerHint?) { scanHint = isCameraPaused ? nil : hint }

    /// How much room the screen has, told before each event that may depend on it. A document's pages are made to fit,
    /// and one that has no room any more is read anew.
    ///
    /// - Parameters:
    ///   - documentRoom: the largest page of a document; nil when none can be read there.
    ///   - leavesFactsOut: whether there is no room for what OK agrees to in the view that is shown.
    public mutating func screenMeasured(documentRoom: DocumentPageSize?, leavesFactsOut: Bool) {
        self.documentRoom = documentRoom
        screenLeavesFactsOut = leavesFactsOut
    }

    /// Sets the time. Called before each event that may depend on it.
    ///
    /// - Parameter elapsed: on a clock that only goes forward.
    public mutating func timeIs(_ elapsed: Duration) { now = elapsed }

    /// A QR code is in view. A login, or what a card of the operator's asks for, is begun from the scan screen and the
    /// menu, also while a code is typed there; at some screens of a session the text of a code may be what the person
    /// would type.
    public mutating func symbolSeen(_ reading: CodeReading) -> [KioskAction] {
        let stillInView = KioskAction.startTimer(.view(reading.digest), KioskTiming.codeLeavesView, .none)
        switch state {
        case .idle(let screen): guard screen.takesCodes, isClockSet || !isScanning else { return [] }
        case .session(let session, is Connecting): return session.code == reading.digest ? [stillInView] : []
        case .session(_, let screen): guard !screen.wantedReadings.isEmpty else { return [] }
        case .over, .stopped: return []
        }
        guard !codes.inView.contains(reading.digest) else { return [stillInView] }
        var actions: [KioskAction] = []
        if let displaced = codes.see(reading.digest) { actions.append(.stopTimer(.view(displaced))) }
        actions.append(stillInView)
        if case .session(let session, let screen) = state { return actions + screen.seen(reading, session, &self) }
        if case .idle(let screen) = state { return actions + screen.seen(reading, &self) }
        return actions
    }

    /// Answer of `submit`.
    ///
    /// - Parameter reading: nil when what was typed is no access code.
    public mutating func codeTyped(_ reading: CodeReading?) -> [KioskAction] {
        guard case .idle(let screen as CodeEntryScreen) = state else { return [] }
        return screen.submitted(reading, &self)
    }

    /// Answer of `judgeNew`.
    public mutating func newPINJudged(_ judgement: PINJudgement) -> [KioskAction] {
        guard case .session(let session, let screen as NewPINScreen) = state else { return [] }
        return screen.judged(judgement, session, &self)
    }

    /// Answer of `compareNew`.
    public mutating func newPINsCompared(areEqual: Bool) -> [KioskAction] {
        guard case .session(let session, let screen as NewPINScreen) = state else { return [] }
        return screen.compared(areEqual: areEqual, session, &self)
    }

    /// The step under way did what it was asked, or did not.
    public mutating func stepEnded(
        _ result: Result<StepAnswer, KioskFailure>, session number: SessionNumber
    ) -> [KioskAction] {
        switch state {
        case .session(let session, let screen as any StepScreen) where session.number == number:
            switch result {
            case .success(let answer):
                return screen.answered(answer, session, &self)
                    ?? [.unexpectedAnswer(number)] + screen.failed(.unexpectedAnswer, session, &self)
            case .failure(let failure): return screen.failed(failure, session, &self)
            }
        case .over(let conclusion) where conclusion.session == number: return conclusion.stepEnded(result, &self)
        default: return []
        }
    }

    /// The step under way waits because the service asked it to, and goes on by itself.
    ///
    /// - Parameter wait: nil when the wait is over.
    public mutating func serviceIsBusy(for wait: Duration?, session number: SessionNumber) -> [KioskAction] {
        guard let wait else {
            if serviceWait?.session == number { serviceWait = nil }
            return []
        }
        guard case .session(let session, is any StepScreen) = state, session.number == number else { return [] }
        serviceWait = ServiceWait(session: number, time: wait)
        // It is long enough to be shown.
        return showWaiting()
    }

    /// A timer ran out. One of an earlier session, or that does not belong to the screen, means nothing any more.
    public mutating func timerFired(_ timer: KioskTimer, session number: SessionNumber) -> [KioskAction] {
        switch timer {
        case .view(let code):
            codes.forgetView(code)
            return []
        case .usedCode(let code):
            codes.forgetUse(code)
            return []
        case .rest: return rest()
        case .boot:
            bootKeys = nil
            return []
        case .wait:
            guard session == number else { return [] }
            return showWaiting()
        case .session, .entry, .wrongPIN, .codeLife, .tap, .typing, .notice, .outcome:
            switch state {
            case .idle(let screen): return timer == .tap && number != .none ? [] : screen.fired(timer, &self)
            case .session(let session, let screen):
                return screen.fired(timer, isOfSession: session.number == number, session, &self)
            case .over(let conclusion):
                return timer == .outcome && conclusion.session == number ? conclusion.timeIsOver(&self) : []
            case .stopped: return []
            }
        }
    }
}

extension KioskFailure {
    /// The failure for an answer of the interpreter that belongs to another step.
    static let unexpectedAnswer = KioskFailure(.failed, status: "FLOW_ERROR")
}
