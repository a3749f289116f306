// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// Turns scans of a matrix into presses of keys.
///
/// A contact is pressed when it has been the only new one, closed in every scan, for ``MatrixTiming/press``; it is
/// released when it has been open in every scan for ``MatrixTiming/release``. In between it may bounce. The next key
/// may be pressed before the last one is released, and is reported once it is alone. Two new contacts at once, or three
/// of any age, could be the corners of a rectangle, whose fourth looks closed too: then no key is reported until all
/// are released.
///
/// A value without a clock: the caller passes the times of the scans.
public struct MatrixDecoder: Sendable {
    private struct Contact: Sendable {
        enum Phase { case new, pressed, held, stuck }

        let position: MatrixPosition
        let closedSince: Duration
        var phase = Phase.new
        /// The time since which, and the number of scans in which, it has been open.
        var open: Steadiness?
    }

    /// The duration of an unbroken state.
    private struct Steadiness: Sendable {
        let since: Duration
        var looks = 1

        func lasts(_ duration: Duration, until now: Duration) -> Bool {
            looks >= MatrixTiming.looks && now - since >= duration
        }
    }

    private var contacts: [Contact] = []
    private var candidate: (position: MatrixPosition, steadiness: Steadiness)?
    private var refusesUntilReleased = false

    public init() {}

    /// Whether no key is down or was a moment ago, so that the caller may wait for the next edge.
    public var isQuiet: Bool { contacts.isEmpty }

    /// - Parameter now: the time of the scan, not earlier than that of the previous one, from any beginning.
    public mutating func looked(_ scan: MatrixScan, at now: Duration) -> [MatrixEvent] {
        let closed = scan.contacts
        var events = follow(closed, at: now)
        // A stuck key is a fact of the wiring; the keys beside it work.
        let heard = closed.filter { position in contact(position)?.phase != .stuck }
        let new = heard.filter { position in contact(position)?.phase == .new }
        if refusesUntilReleased {
            refusesUntilReleased = contacts.contains { $0.phase != .stuck }
        } else if heard.count > 2 || new.count > 1 {
            refusesUntilReleased = true
            candidate = nil
            events.append(.refused)
        }
        guard !refusesUntilReleased else { return events }
        guard heard.count == 1 else {
            candidate = nil
            return events
        }
        return events + followOnly(heard[0], at: now)
    }

    /// Follows the only contact that is not stuck: pressed once it is steady, and held later.
    private mutating func followOnly(_ position: MatrixPosition, at now: Duration) -> [MatrixEvent] {
        var events: [MatrixEvent] = []
        if contact(position)?.phase != .new {
            candidate = nil
        } else if isSteady(position, at: now) {
            set(position, .pressed)
            events.append(.pressed(position))
        }
        if let pressed = contact(position), pressed.phase == .pressed, now - pressed.closedSince >= MatrixTiming.hold {
            set(position, .held)
            events.append(.held(position))
        }
        return events
    }

    /// Counts another scan of the candidate, or the first of a new one.
    private mutating func isSteady(_ position: MatrixPosition, at now: Duration) -> Bool {
        if candidate?.position == position {
            candidate?.steadiness.looks += 1
        } else {
            candidate = (position, Steadiness(since: now))
        }
        guard candidate?.steadiness.lasts(MatrixTiming.press, until: now) == true else { return false }
        candidate = nil
        return true
    }

    /// Tracks every contact, bouncing ones included.
    private mutating func follow(_ closed: [MatrixPosition], at now: Duration) -> [MatrixEvent] {
        var events: [MatrixEvent] = []
        for position in closed where contact(position) == nil {
            contacts.append(Contact(position: position, closedSince: now))
        }
        for index in contacts.indices {
            let position = contacts[index].position
            if closed.contains(position) {
                contacts[index].open = nil
                if contacts[index].phase != .stuck, now - contacts[index].closedSince >= MatrixTiming.stuck {
                    contacts[index].phase = .stuck
                    events.append(.stuck(position))
                }
            } else if contacts[index].open == nil {
                contacts[index].open = Steadiness(since: now)
            } else {
                contacts[index].open?.looks += 1
            }
        }
        contacts.removeAll { contact in
            guard contact.open?.lasts(MatrixTiming.release, until: now) == true else { return false }
            switch contact.phase {
            case .new: break
            case .pressed, .held: events.append(.released(contact.position))
            case .stuck: events.append(.freed(contact.position))
            }
            return true
        }
        return events
    }

    private func contact(_ position: MatrixPosition) -> Contact? { contacts.first { $0.position == position } }

    private mutating func set(_ position: MatrixPosition, _ phase: Contact.Phase) {
        guard let index = contacts.firstIndex(where: { $0.position == position }) else { return }
        contacts[index].phase = phase
    }
}

/// One scan of a matrix: the columns that were active while each row was driven.
public struct MatrixScan: Hashable, Sendable {
    /// One word a row, one bit a column, from the lowest.
    public var rows: [UInt64]

    public init(rows: [UInt64]) { self.rows = rows }

    /// Contacts that seem closed: pressed keys, and the fourth corner of a rectangle with three pressed.
    var contacts: [MatrixPosition] {
        var contacts: [MatrixPosition] = []
        for row in rows.indices {
            var columns = rows[row]
            while columns != 0 {
                contacts.append(MatrixPosition(row: row, column: columns.trailingZeroBitCount))
                columns &= columns - 1
            }
        }
        return contacts
    }
}

/// An event at a matrix of keys.
public enum MatrixEvent: Hashable, Sendable {
    case pressed(MatrixPosition)
    /// Still down and alone after ``MatrixTiming/hold``; once a press.
    case held(MatrixPosition)
    case released(MatrixPosition)
    /// Several keys at once: none is reported until all are released.
    case refused
    /// Down for ``MatrixTiming/stuck``: from now on it is ignored, and the others count.
    case stuck(MatrixPosition)
    /// A stuck key was released.
    case freed(MatrixPosition)
}

/// The times of a matrix of keys. `docs/keypads.md` lists them.
public enum MatrixTiming {
    /// The time from one scan of the matrix to the next.
    public static let scanPeriod = Duration.milliseconds(5)
    /// The time that a contact must stay closed to count as pressed.
    public static let press = Duration.milliseconds(10)
    /// The time that a contact must stay open to count as released: longer than worn contacts bounce.
    public static let release = Duration.milliseconds(25)
    /// The number of consecutive scans that must agree: a thread that was scheduled late must not decide by one.
    static let looks = 3
    /// The time to hold the back key to clear everything.
    public static let hold = Duration.seconds(1)
    /// The time after which a closed contact is treated as stuck, and the other keys work beside it.
    public static let stuck = Duration.seconds(10)
}
