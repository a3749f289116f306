// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LoginValues

/// The person whose personal card was shown. The identity itself stays with the interpreter.
public struct CardHolder: Hashable, Sendable {
    public let userID: String
    /// Host and port of the backend.
    public let place: String
    /// Until when the card counts, as people read it.
    public let ends: String
    /// Whether the screen has room for another card of this size.
    var fitsScreen = true

    public init(userID: String, place: String, ends: String = "") {
        self.userID = userID
        self.place = place
        self.ends = ends
    }
}

/// Why a personal card begins nothing. Safe to count and to log.
public enum PersonalCardRefusal: String, Error, Hashable, Sendable, CaseIterable {
    /// This kiosk has no fleet's key.
    case noFleet
    case otherFleet
    /// A newer version of this program wrote it.
    case newerVersion
    case damaged
    /// Its time is over.
    case expired
    /// It was made at a time that is still to come: a clock is wrong.
    case notYet
    /// No line of the trust list covers its backend.
    case untrusted
}

// A personal card says who it is, so that no name or number is asked for. It is held from its scan to the session that
// is begun with it, and by that session to its end.
extension KioskMachine {
    /// A personal card is in view, outside of a session.
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

    /// The interpreter's word on the card that it keeps.
    ///
    /// - Parameter fitsScreen: whether the screen has room for another card of its size.
    public mutating func cardMeasured(fitsScreen: Bool) { holder?.fitsScreen = fitsScreen }

    /// The person went away, or does something that is not for a person who is registered.
    mutating func dropCard() -> [KioskAction] {
        defer { holder = nil }
        return holder == nil ? [] : [.dropCard]
    }

    /// The card becomes the session's.
    mutating func handCard(to session: inout Session) -> [KioskAction] {
        guard !session.rules.endsWithRegistration else { return dropCard() }
        session.holder = holder
        holder = nil
        return []
    }
}

/// Shows whose card it is, while the person goes for the login page.
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
                Prompt(.consentDomain, [.domain: holder.place]), Prompt(.cardHelp),
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
    /// - Parameter ends: until when a card counts; empty where nobody can tell.
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
