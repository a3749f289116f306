// SPDX-License-Identifier: Apache-2.0

public import KioskPorts
import LoginValues

extension KioskMachine {
    /// A QR code is in view. A login, or what a card of the operator's asks for, is begun from the scan screen and the menu, also
    /// while a code is typed there; where an e-mail address is typed, the text of a code may be it.
    public mutating func symbolSeen(_ reading: CodeReading) -> [KioskAction] {
        switch state {
        case .scanning where !isClockSet: return []
        case .scanning, .menu, .choosingService, .typingCode, .typingIdentity, .typingActivation, .choosingDocument:
            break
        case .connecting(let session) where session.code == reading.digest:
            return [.startTimer(.view(reading.digest), KioskTiming.codeLeavesView, .none)]
        default: return []
        }
        let stillInView = KioskAction.startTimer(.view(reading.digest), KioskTiming.codeLeavesView, .none)
        guard !codes.inView.contains(reading.digest) else { return [stillInView] }
        var actions: [KioskAction] = []
        if let displaced = codes.see(reading.digest) { actions.append(.stopTimer(.view(displaced))) }
        actions.append(stillInView)
        if case .typingIdentity(let session, let entry, _) = state {
            return actions + textSeen(session, entry, reading)
        }
        if case .typingActivation(let session, let userID, let tapsLetters, _) = state {
            return actions + activationSeen(session, userID, tapsLetters: tapsLetters, reading)
        }
        if case .choosingDocument(let session, let identity, _, _, let page) = state {
            return actions + documentSeen(session, identity, page: page, reading)
        }
        if case .link(let userID, let service?) = reading.activation, readsActivation {
            return actions + linkOpened(userID, service: service)
        }
        if let card = reading.card { return actions + cardSeen(card) }
        switch reading.verdict {
        case .refused(let refusal): return actions + refuse(refusal)
        case .login where codes.used.contains(reading.digest): return actions + refuse(.alreadyUsed)
        case .login(let domain): return actions + openSession(code: reading.digest, domain: domain, isTyped: false)
        }
    }

    /// Whether the clock can be believed. Without the time no certificate can be judged and no permit is of the right day, so
    /// nothing is begun; what is under way ends by itself.
    public mutating func clockChanged(isSet: Bool) { isClockSet = isSet }

    /// The camera came or went. It is told on the scan screen; a session that has its code goes on without.
    public mutating func cameraChanged(isWorking: Bool) {
        isCameraWorking = isWorking
        scanHint = nil
    }

    /// What keeps codes from being read has changed; nil when nothing does any more. It is told on the scan screen.
    public mutating func hintChanged(_ hint: ScannerHint?) { scanHint = isCameraPaused ? nil : hint }

    /// - Parameter isTyped: whether a person typed the code, who may have made a mistake.
    mutating func openSession(code: CodeDigest, domain: String, isTyped: Bool) -> [KioskAction] {
        let isTyping = if case .scanning = state { false } else { true }
        lastSession = lastSession.next
        let session = Session(number: lastSession, purpose: .login, code: code, domain: domain, isTyped: isTyped)
        state = .connecting(session)
        restStep = nil
        let opening: [KioskAction] = [
            .stopTimer(.notice), .openSession(session.number),
            .startTimer(.session, KioskTiming.session, session.number), .perform(.readService, session.number),
        ]
        return isTyping ? opening + [.code(.wipe), .stopTimer(.typing), .stopTimer(.tap)] : opening
    }

    mutating func refuse(_ refusal: CodeRefusal) -> [KioskAction] {
        let (key, duration): (PromptKey, Duration) =
            switch refusal {
            case .notALogin, .divided: (.invalidCode, KioskTiming.invalidCodeNotice)
            case .untrusted(.loopbackHTTP): (.loopbackCode, KioskTiming.notice)
            case .untrusted: (.untrustedCode, KioskTiming.notice)
            case .alreadyUsed: (.codeAlreadyUsed, KioskTiming.notice)
            case .notOffered: (.cardNotOffered, KioskTiming.notice)
            }
        switch state {
        case .scanning: return [.refused(refusal)] + showNotice(Prompt(key), for: duration) + wake()
        // Whoever holds a card up there means it; any other code may just be in the way.
        case .menu(let page, _) where refusal == .notOffered: state = .menu(page: page, hint: key)
        case .choosingService(let errand, let entry, _, let page) where refusal == .notOffered:
            state = .choosingService(errand, entry, hint: key, page: page)
        case .typingCode(let service, let tapsLetters, _) where refusal == .notOffered:
            state = .typingCode(service: service, tapsLetters: tapsLetters, hint: key)
        default: break
        }
        return [.refused(refusal)]
    }

    /// A remark on the scan screen.
    mutating func showNotice(_ notice: Prompt, for duration: Duration = KioskTiming.notice) -> [KioskAction] {
        state = .scanning(notice: notice)
        return [.startTimer(.notice, duration, .none)]
    }

    /// Remembers that a login was tried with the session's code.
    mutating func markUsed(_ session: Session) -> [KioskAction] {
        guard let code = session.code else { return [] }
        var actions: [KioskAction] = []
        if let displaced = codes.use(code) { actions.append(.stopTimer(.usedCode(displaced))) }
        actions.append(.startTimer(.usedCode(code), KioskTiming.codeIsRemembered, .none))
        return actions
    }

    // While the camera is paused nothing is seen, which must not pass for codes having left the view.

    mutating func pauseCamera() -> [KioskAction] {
        guard !isCameraPaused else { return [] }
        isCameraPaused = true
        scanHint = nil
        return codes.inView.map { .stopTimer(.view($0)) } + [.pauseCamera]
    }

    mutating func resumeCamera() -> [KioskAction] {
        guard isCameraPaused else {
            return codes.inView.map { .startTimer(.view($0), KioskTiming.codeLeavesView, .none) }
        }
        isCameraPaused = false
        return [.resumeCamera] + codes.inView.map { .startTimer(.view($0), KioskTiming.codeLeavesView, .none) }
    }
}
