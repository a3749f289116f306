// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LoginValues

/// The person who showed a personal card. Only the interpreter holds the identity.
public struct CardHolder: Hashable, Sendable {
    public let userID: String
    /// Host and port of the backend.
    public let domain: String
    /// The end of the card's validity, as people read it.
    public let ends: String
    /// Whether another card of this size fits the screen.
    var fitsScreen = true

    public init(userID: String, domain: String, ends: String = "") {
        self.userID = userID
        self.domain = domain
        self.ends = ends
    }
}

/// The reason why a personal card begins nothing. Safe to count and to log.
public enum PersonalCardRefusal: String, Error, Hashable, Sendable, CaseIterable {
    /// This kiosk has no fleet key.
    case noFleet
    case otherFleet
    /// A newer version of this program wrote it.
    case newerVersion
    case damaged
    /// It has expired.
    case expired
    /// It is not valid yet: a clock is wrong.
    case notYet
    /// No line of the trust list covers its backend.
    case untrusted
}

// A personal card identifies a person, so that the kiosk asks for no name or number. The kiosk keeps it from its scan
// to the end of the session that begins with it.
extension KioskMachine {
    /// Takes a personal card in view, outside of a session.
    mutating func take(_ card: Result<CardHolder, PersonalCardRefusal>, _ handle: Handle) -> [KioskAction] {
        switch card {
        case .failure(let refusal): return refuse(.personalCard(refusal))
        case .success(let holder):
            let leaving: [KioskAction] = asksForCode ? [.code(.wipe), .stopTimer(.tap)] : []
            self.holder = holder
            restStep = nil
            return [.stopTimer(.notice), .keepCard(handle)] + leaving + CardScreen(holder: holder).show(&self)
        }
    }

    /// Notes the interpreter's measurement of the kept card.
    ///
    /// - Parameter fitsScreen: whether another card of its size fits the screen.
    public mutating func cardMeasured(fitsScreen: Bool) { holder?.fitsScreen = fitsScreen }

    /// Drops the card: the person left, or began something that is not for registered people.
    mutating func dropCard() -> [KioskAction] {
        defer { holder = nil }
        return holder == nil ? [] : [.dropCard]
    }

    /// Hands the card to the session.
    mutating func handCard(to session: inout Session) -> [KioskAction] {
        guard !session.rules.endsWithRegistration else { return dropCard() }
        session.holder = holder
        holder = nil
        return []
    }
}

/// Shows whose card it is, while the person turns to the login page.
struct CardScreen: IdleScreen {
    let holder: CardHolder
    /// A remark, for a moment.
    var notice: Prompt?

    var wantedReadings: WantedReadings { [] }

    /// Shows its remark.
    func show(_ kiosk: inout KioskMachine) -> [KioskAction] {
        kiosk.state = .idle(self)
        return [.startTimer(.typing, KioskTiming.typing, .none)]
    }

    func view(_ kiosk: KioskMachine) -> KioskView {
        let code = kiosk.services.isEmpty ? [] : [ViewAction(.digit(0), .actionTypeCode)]
        let menu = kiosk.menu.isEmpty ? [] : [ViewAction(.digit(1), .actionMenu)]
        return KioskView(
            .card, .ask, title: Prompt(.cardTitle),
            lines: [
                Prompt(.consentUser, [.user: DisplayText(holder.userID).description]),
                Prompt(.consentDomain, [.domain: holder.domain]), Prompt(.cardHelp),
            ] + Prompt.cardEnds(holder.ends), hint: notice, actions: code + menu + [ViewAction(.back, .actionBack)])
    }

    func pressed(_ key: KnownKey, _ kiosk: inout KioskMachine) -> [KioskAction] {
        switch key {
        case .digit(0): return kiosk.choosePlace(for: .login)
        case .digit(1), .menu: return kiosk.menu.isEmpty ? [] : MenuScreen().show(&kiosk)
        case .back, .clear: return kiosk.leave()
        case .digit, .pinDigit, .codeKey, .enter, .character: return []
        }
    }

    func refused(
        _ remark: PromptKey, for refusal: CodeRefusal, _ duration: Duration, _ kiosk: inout KioskMachine
    ) -> [KioskAction] {
        CardScreen(holder: holder, notice: Prompt(remark)).show(&kiosk) + [.startTimer(.notice, duration, .none)]
    }

    func fired(_ timer: KioskTimer, _ kiosk: inout KioskMachine) -> [KioskAction] {
        switch timer {
        case .typing: return kiosk.leave()
        case .notice: kiosk.state = .idle(CardScreen(holder: holder))
        default: break
        }
        return []
    }
}

extension Prompt {
    /// - Parameter ends: the end of a card's validity; empty when it is unknown.
    static func cardEnds(_ ends: String) -> [Prompt] { ends.isEmpty ? [] : [Prompt(.cardEnds, [.time: ends])] }
}

extension PersonalCardRefusal {
    var promptKey: PromptKey {
        switch self {
        case .noFleet: .cardNoFleet
        case .otherFleet: .cardOtherFleet
        case .newerVersion: .cardNewer
        case .damaged: .cardDamaged
        case .expired: .cardExpired
        case .notYet: .cardNotYet
        case .untrusted: .cardUntrusted
        }
    }
}
