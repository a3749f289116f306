// SPDX-License-Identifier: Apache-2.0

import KioskPorts

extension KioskMachine {
    func documentChoiceView(_ entry: TextEntry, hint: Prompt?, page: Int) -> KioskView {
        var lines: [Prompt] = isCameraWorking ? [Prompt(.documentChoiceCode)] : []
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

    func readingView(_ session: Session, page: Int, hint: Prompt?) -> KioskView {
        let signing = session.signing
        let document = signing?.pages.map { $0[page] }
        var lines: [Prompt] = []
        if signing?.isDescribed == true {
            lines += whereTo(session) + [Prompt(.documentDescription)]
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

    func signQuestionView(_ session: Session, _ identity: KioskIdentity) -> KioskView {
        let isDescribed = session.signing?.isDescribed == true
        let facts = whoAndWhere(session, identity) + (session.signing.map { self.facts(of: $0, $0.hash) } ?? [])
        return KioskView(
            .signQuestion, .ask, title: Prompt(.signQuestionTitle),
            lines: facts + [Prompt(isDescribed ? .signQuestionDescribed : .signQuestionHelp)], factCount: facts.count,
            actions: [ViewAction(.enter, .actionSign), ViewAction(.back, .actionBack)])
    }

    /// What a PIN of a signing session is for.
    func signingPINTitle(_ identity: KioskIdentity) -> PromptKey {
        switch identity.signing {
        case .needsKey: .signingKeyTitle
        case .withOwnPIN: .ownSigningPINTitle
        case .none, .withPIN: .signingPINTitle
        }
    }

    func signingPINLines(_ session: Session, _ identity: KioskIdentity) -> [Prompt] {
        guard !session.registersKey(for: identity) else { return [Prompt(.signingKeyHelp)] }
        return session.signing.map { facts(of: $0, $0.hash) } ?? []
    }

    /// By what people recognise a document.
    func facts(of signing: Signing, _ hash: DocumentHash?) -> [Prompt] {
        (signing.title.map { [Prompt(.documentName, [.name: $0.description])] } ?? [])
            + (hash.map { [Prompt(.documentFingerprint, [.hash: $0.tail])] } ?? [])
    }
}
