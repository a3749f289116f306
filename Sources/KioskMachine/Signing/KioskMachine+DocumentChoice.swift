// SPDX-License-Identifier: Apache-2.0

import KioskPorts

// Which document: one that the operator keeps ready, by its number, or the text of a QR code.
extension KioskMachine {
    /// Whether the text of a code in view may be what the person wants to sign.
    public var readsDocument: Bool { if case .choosingDocument = state { true } else { false } }

    mutating func chooseDocument(
        _ session: Session, _ identity: KioskIdentity, hint: Prompt? = nil
    ) -> [KioskAction] {
        // The text of a document is no PIN: the camera may look for it.
        keepChoosingDocument(session, identity, TextEntry(capacity: 4), hint: hint, page: 0) + resumeCamera()
    }

    mutating func keepChoosingDocument(
        _ session: Session, _ identity: KioskIdentity, _ entry: TextEntry, hint: Prompt? = nil, page: Int
    ) -> [KioskAction] {
        state = .choosingDocument(session, identity, entry, hint: hint, page: page)
        return [.startTimer(.session, KioskTiming.typing, session.number)]
    }

    mutating func documentEntered(
        _ session: Session, _ identity: KioskIdentity, _ entry: TextEntry, page: Int
    ) -> [KioskAction] {
        guard let number = Int(entry.text), templates.indices.contains(number - 1) else {
            return keepChoosingDocument(
                session, identity, TextEntry(capacity: entry.capacity), hint: Prompt(.documentUnknown), page: page)
        }
        let template = templates[number - 1]
        return documentChosen(session, identity, template.text, title: template.title)
    }

    /// A code in front of the camera. A login's is a secret and no document, and may still be there from before.
    mutating func documentSeen(
        _ session: Session, _ identity: KioskIdentity, page: Int, _ reading: CodeReading
    ) -> [KioskAction] {
        let entry = TextEntry(capacity: 4)
        let hint: PromptKey
        switch reading.document {
        case .success(let text): return documentChosen(session, identity, text, title: nil)
        case .failure(.tooLong): hint = .documentTooLong
        case .failure: hint = .documentUnreadable
        case nil: hint = .documentIsLogin
        }
        return keepChoosingDocument(session, identity, entry, hint: Prompt(hint), page: page)
    }

    private mutating func documentChosen(
        _ session: Session, _ identity: KioskIdentity, _ text: DocumentText, title: DisplayText?
    ) -> [KioskAction] {
        var session = session
        session.signing = Signing(
            title: title, pages: DocumentPages(text, size: documentRoom ?? .smallest), isDescribed: false)
        return read(session, identity, page: 0)
    }
}
