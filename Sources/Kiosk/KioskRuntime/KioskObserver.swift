// SPDX-License-Identifier: Apache-2.0

public import KioskMachine
public import KioskPorts
public import PersonalCards

/// An observer of the kiosk, such as a service manager. It must not wait, because the kiosk's own loop calls it.
public protocol KioskObserver: Sendable {
    /// The interval at which to call ``turned()``; nil for never.
    var interval: Duration? { get }

    /// Called when the loop of the machine's timers runs. Not called while the machine hangs.
    func turned()

    /// Called with the kiosk's condition when the first view was shown, and after each change.
    func changed(_ condition: KioskCondition)

    /// Called for an event, which names no person.
    func happened(_ event: KioskEvent)

    /// Called when a session is over.
    func ended(_ session: EndedSession)

    /// Called when a step was refused, or failed.
    func stepFailed(_ outcome: SessionOutcome)

    /// Called when a code began a session.
    ///
    /// - Parameter taken: the time of its picture since the machine started, on the monotonic clock.
    func codeRead(taken: Duration)

    /// Called with counters of the scanner since its start.
    func looked(_ statistics: ScannerStatistics)

    /// Called when other cameras, sizes or formats than before were passed over for the present ones: a sentence each.
    func passedOver(_ reasons: [String])
}

extension KioskObserver {
    public var interval: Duration? { nil }
    public func turned() {}
    public func happened(_ event: KioskEvent) {}
    public func ended(_ session: EndedSession) {}
    public func stepFailed(_ outcome: SessionOutcome) {}
    public func codeRead(taken: Duration) {}
    public func looked(_ statistics: ScannerStatistics) {}
    public func passedOver(_ reasons: [String]) {}
}

/// A finished session, for the audit log.
public struct EndedSession: Sendable, Hashable {
    public let number: SessionNumber
    public let task: KioskTask
    /// Host and port of the service, or the line of the trust list; for a door its name.
    public let place: String
    /// The last person that a step named, as the backend knows them; nil when there was none. Only an outcome that
    /// takes a PIN proves that it was that person.
    public let userID: String?
    public let outcome: SessionOutcome
    /// PINs that the backend found wrong, also if the person then left.
    public let wrongPINs: Int
    /// Whether the waiting browser was elsewhere than this kiosk, as far as the backend knew.
    public let isBrowserElsewhere: Bool
    /// The time from the code, or the choice in the menu, to the outcome.
    public let duration: Duration
    /// The validity of the personal card that the person used; nil without a card.
    public var card: CardPeriod?
    /// The validity of the personal card that was made.
    public var newCard: CardPeriod?
}
