// SPDX-License-Identifier: Apache-2.0

public import KioskMachine
public import KioskPorts
public import PersonalCards

/// An observer of the kiosk from outside, such as a service manager. It must not wait: the kiosk's own loop calls it.
public protocol KioskObserver: Sendable {
    /// How often ``turned()`` is wanted; nil: never.
    var interval: Duration? { get }

    /// The loop that fires the machine's timers came round. Not called while the machine hangs.
    func turned()

    /// How the kiosk is: when the first view has gone to the screen, and after each change.
    func changed(_ condition: KioskCondition)

    /// Takes note of an event, which names no person.
    func happened(_ event: KioskEvent)

    /// A session is over.
    func ended(_ session: EndedSession)

    /// A step was refused, or failed.
    func stepFailed(_ outcome: SessionOutcome)

    /// A code that began a session was read.
    ///
    /// - Parameter taken: when its picture was, since the machine started, on the monotonic clock.
    func codeRead(taken: Duration)

    /// Counters of the scanner since its start.
    func looked(_ statistics: ScannerStatistics)
}

extension KioskObserver {
    public func happened(_ event: KioskEvent) {}
    public func ended(_ session: EndedSession) {}
    public func stepFailed(_ outcome: SessionOutcome) {}
    public func codeRead(taken: Duration) {}
    public func looked(_ statistics: ScannerStatistics) {}
}

/// A session that is over, for the record of who did what.
public struct EndedSession: Sendable, Hashable {
    public let number: SessionNumber
    public let errand: Errand
    /// Host and port of the service, or the line of the trust list; a door's own name.
    public let place: String
    /// For whom the last step was that named a person, as the backend knows it; nil when none did. The person said so:
    /// only an outcome that takes a PIN proves it.
    public let userID: String?
    public let outcome: SessionOutcome
    /// Whether the browser that waited was at another place than this kiosk, as far as the backend knew.
    public let isBrowserElsewhere: Bool
    /// From the code, or from the choice in the menu, to the outcome.
    public let duration: Duration
    /// Of the personal card that the person came with; nil for one who came without.
    public var card: CardPeriod?
    /// Of the personal card that was made.
    public var newCard: CardPeriod?
}
