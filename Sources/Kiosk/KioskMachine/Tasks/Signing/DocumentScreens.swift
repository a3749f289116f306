// SPDX-License-Identifier: Apache-2.0

import KioskPorts

extension KioskMachine {
    /// Continues when the identity can sign: with the scanned document, else with a choice.
    mutating func beginDocument(
        _ session: Session, _ identity: KioskIdentity, hint: Prompt?
    ) -> [KioskAction] {
        guard let request = session.details?.signing else {
            return DocumentChoiceScreen(identity: identity, hint: hint).show(session, &self) + resumeCamera()
        }
        var session = session
        session.signing = Signing(
            pages: request.description.map { DocumentPages($0, size: documentRoom ?? .smallest) }, isDescribed: true,
            hash: request.hash)
        guard session.signing?.pages != nil else {
            return SignQuestionScreen(identity: identity).show(session, &self)
        }
        return ReadingScreen(identity: identity, hint: hint).show(session, &self)
    }
}

/// Asks for a document: one that the operator keeps ready, by its number, or the text of a QR code. No PIN is typed
/// here, so the camera may look for the text.
struct DocumentChoiceScreen: SessionScreen {
    let identity: KioskIdentity
    var entry = TextEntry(capacity: 4)
    var hint: Prompt?
    var page = 0

    var wantedReadings: WantedReadings { .document }

    func show(_ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        kiosk.show(self, session)
        return [.startTimer(.session, KioskTiming.typing, session.number)]
    }

    func view(_ session: Session, _ kiosk: KioskMachine) -> KioskView {
        let templates = kiosk.templates
        var lines: [Prompt] = kiosk.isCameraWorking ? [Prompt(.documentChoiceCode)] : []
        var actions = [ViewAction(.enter, .actionOK), ViewAction(.back, .actionBack)]
        if !templates.isEmpty {
            lines.append(Prompt(.documentChoiceNumber))
            lines += KioskMachine.lines(
                templates.enumerated().map { ("\($0.offset + 1)", $0.element.title.description) }, page: page)
            if KioskMachine.pageCount(of: templates.count) > 1 { actions.append(ViewAction(.menu, .actionMore)) }
        }
        return KioskView(
            .documentChoice, .ask, title: Prompt(.documentChoiceTitle), lines: lines, hint: hint,
            entry: .text(entry.text), actions: actions)
    }

    func pressed(_ key: KnownKey, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        var next = self
        next.hint = nil
        switch key {
        case .digit(let digit): next.entry.press(digit)
        case .clear: next.entry.removeAll()
        case .back where entry.isEmpty: return declined(session, &kiosk)
        case .back: next.entry.removeLast()
        case .menu:
            next.hint = hint
            next.page = (page + 1) % KioskMachine.pageCount(of: kiosk.templates.count)
        case .enter:
            guard !entry.isEmpty else { return [] }
            if let number = Int(entry.text), kiosk.templates.indices.contains(number - 1) {
                let template = kiosk.templates[number - 1]
                return read(template.text, title: template.title, session, &kiosk)
            }
            next.entry.removeAll()
            next.hint = Prompt(.documentUnknown)
        case .pinDigit, .codeKey, .character: return []
        }
        return next.show(session, &kiosk)
    }

    /// Ignores a login code, which is a secret and no document, and may still be in view.
    func seen(_ reading: CodeReading, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        let hint: PromptKey
        switch reading.document {
        case .success(let text): return read(text, title: nil, session, &kiosk)
        case .failure(.tooLong): hint = .documentTooLong
        case .failure: hint = .documentUnreadable
        case nil: hint = .documentIsLogin
        }
        return DocumentChoiceScreen(identity: identity, hint: Prompt(hint), page: page).show(session, &kiosk)
    }

    private func read(
        _ text: DocumentText, title: DisplayText?, _ session: Session, _ kiosk: inout KioskMachine
    ) -> [KioskAction] {
        var session = session
        session.signing = Signing(
            title: title, pages: DocumentPages(text, size: kiosk.documentRoom ?? .smallest), isDescribed: false)
        return ReadingScreen(identity: identity).show(session, &kiosk)
    }
}

/// Shows the pages of the document one after the other. Only the last one leads on, and only if all of them fit the
/// screen.
struct ReadingScreen: SessionScreen {
    let identity: KioskIdentity
    var page = 0
    var hint: Prompt?

    func show(_ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        guard let room = kiosk.documentRoom else {
            return kiosk.conclude(session, .notOffered, Prompt(.documentNeedsRoom), stepIsOver: true)
        }
        var (session, screen) = (session, self)
        if !hasRoom(session, kiosk), let document = session.signing?.pages?.document {
            session.signing?.pages = DocumentPages(document, size: room)
            screen.page = 0
        }
        kiosk.show(screen, session)
        return kiosk.pauseCamera() + [.startTimer(.session, KioskTiming.reading, session.number)]
    }

    func view(_ session: Session, _ kiosk: KioskMachine) -> KioskView {
        let signing = session.signing
        let document = signing?.pages.map { $0[page] }
        var lines: [Prompt] = []
        if signing?.isDescribed == true {
            lines += session.serviceLines + [Prompt(.documentDescription)]
        } else if let title = signing?.title {
            lines.append(Prompt(.documentName, [.name: title.description]))
        }
        if let document {
            lines.append(Prompt(.documentPage, [.page: "\(document.number)", .pages: "\(document.count)"]))
        }
        let hasMarks = document?.lines.contains { $0.pieces.contains(where: \.isMark) } == true
        return KioskView(
            .document, .ask, title: Prompt(.documentTitle), lines: lines, document: document,
            hint: hint ?? (hasMarks ? Prompt(.documentMark) : nil),
            actions: [
                ViewAction(.enter, document?.isLast == true ? .actionContinue : .actionNextPage),
                ViewAction(.back, page == 0 ? .actionBack : .actionPreviousPage),
            ])
    }

    func pressed(_ key: KnownKey, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        let isLast = page + 1 >= session.signing?.pages?.count ?? 0
        switch key {
        case .enter:
            // If the screen became smaller it may not have shown this page.
            return isLast && hasRoom(session, kiosk)
                ? SignQuestionScreen(identity: identity).show(session, &kiosk)
                : ReadingScreen(identity: identity, page: page + 1).show(session, &kiosk)
        case .menu: return isLast ? [] : ReadingScreen(identity: identity, page: page + 1).show(session, &kiosk)
        case .back where page > 0: return ReadingScreen(identity: identity, page: page - 1).show(session, &kiosk)
        case .back: return left(session, &kiosk)
        case .digit, .pinDigit, .codeKey, .clear, .character: return []
        }
    }

    /// Returns to the choice, if there was one.
    private func left(_ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        if session.signing?.isDescribed == true { return declined(session, &kiosk) }
        var session = session
        session.signing = nil
        return DocumentChoiceScreen(identity: identity).show(session, &kiosk) + kiosk.resumeCamera()
    }

    /// Whether the pages fit the screen as it is now.
    private func hasRoom(_ session: Session, _ kiosk: KioskMachine) -> Bool {
        guard let pages = session.signing?.pages, let room = kiosk.documentRoom else { return false }
        return pages.size.fits(in: room)
    }
}

/// Asks whether to sign the document that the person has read.
struct SignQuestionScreen: SessionScreen {
    let identity: KioskIdentity

    func show(_ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        kiosk.show(self, session)
        return [.startTimer(.session, KioskTiming.reading, session.number)]
    }

    func view(_ session: Session, _ kiosk: KioskMachine) -> KioskView {
        let isDescribed = session.signing?.isDescribed == true
        let facts = session.whoAndWhere(identity) + (session.signing?.facts ?? [])
        return KioskView(
            .signQuestion, .ask, title: Prompt(.signQuestionTitle),
            lines: facts + [Prompt(isDescribed ? .signQuestionDescribed : .signQuestionHelp)], factCount: facts.count,
            actions: [ViewAction(.enter, .actionSign), ViewAction(.back, .actionBack)])
    }

    func pressed(_ key: KnownKey, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        switch key {
        // A document with a hash needs the PIN next; without one the service makes the hash first.
        case .enter:
            guard let signing = session.signing, signing.hash == nil, let pages = signing.pages else {
                return [.startTimer(.session, KioskTiming.session, session.number)]
                    + kiosk.askPIN(session, identity)
            }
            return kiosk.wait(
                at: PreparingDocument(identity: identity, document: pages.document), session)
        case .back:
            guard let pages = session.signing?.pages else { return declined(session, &kiosk) }
            return ReadingScreen(identity: identity, page: pages.count - 1).show(session, &kiosk)
        case .digit, .pinDigit, .codeKey, .clear, .menu, .character: return []
        }
    }
}
