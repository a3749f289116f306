// SPDX-License-Identifier: Apache-2.0

import KioskPorts

// The pages of what is signed, one after the other. Only the last one leads on, and only where all had room on the screen.
extension KioskMachine {
    mutating func read(
        _ session: Session, _ identity: KioskIdentity, page: Int, hint: Prompt? = nil
    ) -> [KioskAction] {
        guard let room = documentRoom else {
            return conclude(session, .notOffered, Prompt(.documentNeedsRoom), stepIsOver: true)
        }
        var (session, page) = (session, page)
        if !hasRoom(for: session), let document = session.signing?.pages?.document {
            session.signing?.pages = DocumentPages(document, size: room)
            page = 0
        }
        state = .reading(session, identity, page: page, hint: hint)
        return pauseCamera() + [.startTimer(.session, KioskTiming.reading, session.number)]
    }

    /// OK: on the last page the question, on any other the next.
    mutating func pageRead(_ session: Session, _ identity: KioskIdentity, page: Int) -> [KioskAction] {
        // A screen that became smaller may not have shown this one.
        session.isLastPage(page) && hasRoom(for: session)
            ? askToSign(session, identity) : read(session, identity, page: page + 1)
    }

    /// MENU: the next page, and nothing after the last.
    mutating func pageTurned(_ session: Session, _ identity: KioskIdentity, page: Int) -> [KioskAction] {
        session.isLastPage(page) ? [] : read(session, identity, page: page + 1)
    }

    /// BACK: the page before, and before the first one the choice, where there was one.
    mutating func pageTurnedBack(_ session: Session, _ identity: KioskIdentity, page: Int) -> [KioskAction] {
        if page > 0 { return read(session, identity, page: page - 1) }
        if session.signing?.isDescribed == true { return declined(session) }
        var session = session
        session.signing = nil
        return chooseDocument(session, identity)
    }

    /// BACK to what was read.
    mutating func signQuestionLeft(_ session: Session, _ identity: KioskIdentity) -> [KioskAction] {
        guard let pages = session.signing?.pages else { return declined(session) }
        return read(session, identity, page: pages.count - 1)
    }

    /// Whether the pages that are being read have room on the screen as it is now.
    private func hasRoom(for session: Session) -> Bool {
        guard let pages = session.signing?.pages, let room = documentRoom else { return false }
        return pages.size.fits(in: room)
    }
}

extension KioskMachine.Session {
    fileprivate func isLastPage(_ page: Int) -> Bool { page + 1 >= signing?.pages?.count ?? 0 }
}
