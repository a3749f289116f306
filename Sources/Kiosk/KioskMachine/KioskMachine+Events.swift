// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

// All events. The machine passes on those that concern the screen.
extension KioskMachine {
    public mutating func keyPressed(_ key: KnownKey) -> [KioskAction] { heard(key) { $0.take(key) } }

    private mutating func take(_ key: KnownKey) -> [KioskAction] {
        // The person cannot agree to lines that are not on the screen.
        if key == .enter, screenLeavesFactsOut, view.factCount > 0 { return [] }
        switch state {
        case .idle(let screen): return screen.pressed(key, &self)
        case .session(let session, let screen): return screen.pressed(key, session, &self)
        case .over(let conclusion): return conclusion.pressed(key, &self)
        case .stopped: return []
        }
    }

    /// Handles keys that came faster than a hand types, or were lost: an entry of a PIN is discarded.
    public mutating func keysLost() -> [KioskAction] {
        guard case .session(let session, let screen) = state else { return forgetResetKeys() }
        return screen.keysWereLost(session, &self)
    }

    /// Handles a keypad that came or went; the scan screen shows it. A half-typed PIN is wiped when the keypad goes:
    /// another hand may press the next key.
    public mutating func keypadChanged(isWorking: Bool) -> [KioskAction] {
        isKeypadWorking = isWorking
        return isWorking ? [] : keysLost()
    }

    /// Notes whether the clock is set. Without the time no certificate can be checked and no permit is of the right
    /// day, so the kiosk begins nothing. A session under way ends by itself.
    public mutating func clockChanged(isSet: Bool) { isClockSet = isSet }

    /// Handles a camera that came or went; the scan screen shows it. A session that has its code continues.
    ///
    /// - Parameter trouble: why no pictures come; nil when they come.
    public mutating func cameraChanged(trouble: ScannerTrouble.Kind?) {
        cameraTrouble = trouble
        scanHint = nil
    }

    /// Takes the hint about an obstacle to reading codes, for the scan screen; nil when there is none any more.
    public mutating func hintChanged(_ hint: ScannerHint?) { scanHint = isCameraPaused ? nil : hint }

    /// Notes the room on the screen, before each event that may depend on it. The pages of a document are made to fit.
    /// If they no longer do, the person reads the document again.
    ///
    /// - Parameters:
    ///   - documentRoom: the largest page of a document; nil when none fits.
    ///   - leavesFactsOut: whether the lines that OK agrees to do not fit.
    public mutating func screenMeasured(documentRoom: DocumentPageSize?, leavesFactsOut: Bool) {
        self.documentRoom = documentRoom
        screenLeavesFactsOut = leavesFactsOut
    }

    /// Sets the time, before each event that may depend on it.
    ///
    /// - Parameter elapsed: by a clock that only goes forward.
    public mutating func timeIs(_ elapsed: Duration) { now = elapsed }

    /// Handles a QR code in view. The scan screen and the menu begin a login, or the task of a card, also while a
    /// code is typed. Some screens of a session take the code's text in place of typing.
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

    /// Answers `submit`.
    ///
    /// - Parameter reading: nil when the typed text is not an access code.
    public mutating func codeTyped(_ reading: CodeReading?) -> [KioskAction] {
        guard case .idle(let screen as CodeEntryScreen) = state else { return [] }
        return screen.submitted(reading, &self)
    }

    /// Answers `checkNew`.
    public mutating func newPINChecked(_ result: NewPINResult) -> [KioskAction] {
        guard case .session(let session, let screen as NewPINScreen) = state else { return [] }
        return screen.checked(result, session, &self)
    }

    /// Answers `compareNew`.
    public mutating func newPINsCompared(areEqual: Bool) -> [KioskAction] {
        guard case .session(let session, let screen as NewPINScreen) = state else { return [] }
        return screen.compared(areEqual: areEqual, session, &self)
    }

    /// Ends the step under way with an answer or a failure.
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

    /// Notes that the step under way waits because the service asked it to, and continues by itself.
    ///
    /// - Parameter wait: nil when the wait is over.
    public mutating func serviceIsBusy(for wait: Duration?, session number: SessionNumber) -> [KioskAction] {
        guard let wait else {
            if serviceWait?.session == number { serviceWait = nil }
            return []
        }
        guard case .session(let session, is any StepScreen) = state, session.number == number else { return [] }
        serviceWait = ServiceWait(session: number, time: wait)
        // The wait is long enough to be shown.
        return showWaiting()
    }

    /// Handles the end of a timer. One of an earlier session, or of another screen, is ignored.
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
    /// The failure for an answer that belongs to another step.
    static let unexpectedAnswer = KioskFailure(.failed, status: "FLOW_ERROR")
}
