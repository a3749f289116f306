// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Shows the service, the host at which the PIN takes effect, and the user. Another person may have shown the code.
struct ConsentScreen: SessionScreen {
    func view(_ session: Session, _ kiosk: KioskMachine) -> KioskView {
        let isElsewhere = session.details?.isBrowserElsewhere == true
        var lines = (isElsewhere ? [Prompt(.browserElsewhere)] : []) + session.serviceLines
        if let details = session.details {
            if !details.application.isEmpty {
                lines.append(Prompt(.consentApplication, [.application: details.application.description]))
            }
            if !details.customer.isEmpty {
                lines.append(Prompt(.consentCustomer, [.customer: details.customer.description]))
            }
            if !details.namedUser.isEmpty {
                lines.append(Prompt(.consentUser, [.user: session.name(of: details.namedUser)]))
            } else if let identity = session.loneIdentity {
                lines.append(Prompt(.consentUser, [.user: session.name(of: identity)]))
            } else {
                lines.append(Prompt(.consentNobody))
            }
            // Below the facts, as a quotation: a stranger's page may say anything.
            if !details.task.isEmpty { lines.append(Prompt(.consentTask, [.name: details.task.description])) }
        }
        var actions = [ViewAction(.enter, .actionOK), ViewAction(.back, .actionNotMe)]
        if isElsewhere { actions.reverse() }
        if session.offersSomeoneElse { actions.append(ViewAction(.menu, .actionSomeoneElse)) }
        return KioskView(
            .consent, isElsewhere ? .trouble : .ask, title: Prompt(session.rules.consentTitle), lines: lines,
            factCount: lines.count,
            actions: actions)
    }

    func pressed(_ key: KnownKey, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        switch key {
        case .enter: return [.consented(session.number)] + kiosk.identify(session)
        case .menu:
            guard session.offersSomeoneElse else { return [] }
            // Choosing another identity agrees to the service.
            return [.consented(session.number)] + kiosk.chooseIdentity(session)
        // "Not me": nobody was logged in, and the operator may want to know who put that code before the camera.
        case .back, .clear:
            return [.consentRefused(session.number)]
                + kiosk.conclude(
                    session, .declined, Prompt(session.rules.declined), line: Prompt(.nextNotYours))
        case .digit, .pinDigit, .codeKey, .character: return []
        }
    }
}
