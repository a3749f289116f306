// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Turns the contacts of a touch panel into presses: a value without clock or device.
///
/// A key is pressed when one finger comes down on it, stays there and is lifted, while the screen shows the same key
/// all the time. Anything else presses nothing: a finger that slides off, a second finger, a palm, a key that has been
/// shown for less than a quarter of a second, a screen that changed under the finger.
struct TouchTracker {
    /// A key takes no finger for this long after it appears: the finger was meant for the key before it.
    static let settling = Duration.milliseconds(250)
    /// A finger that returns to its key within this time is treated as never lifted.
    static let bounce = Duration.milliseconds(40)
    /// No hand moves from key to key in less time. So a panel that reports nonsense causes few presses.
    static let haste = Duration.milliseconds(20)
    /// A held BACK removes one character after the other.
    static let repeatDelay = Duration.milliseconds(500)
    static let repeatInterval = Duration.milliseconds(120)
    /// A contact that lasts this long is not a finger, and is ignored.
    static let stuck = Duration.seconds(10)

    enum Effect: Hashable {
        case pressed(KeyPress)
        /// The key under the finger, or none.
        case touched(TouchKey?)
        case otherKeyboard
        /// A press may be missing: two fingers came at once, or reports were lost.
        case lost(String)
        case stuck
    }

    private struct Hold {
        let key: TouchKey
        let contact: Int32
        /// The number of characters when BACK was last repeated.
        var typedAtRepeat: Int?
        var nextRepeat: Duration
    }

    private enum State {
        case free
        case holding(Hold)
        /// Touches press no key until all fingers are up.
        case spoiled
    }

    private var state = State.free
    /// The last pressed key, and the time at which its finger was lifted.
    private var last: (place: KeyPlace, at: Duration)?
    /// The time at which each contact was first seen; never more than a panel has slots.
    private var firstSeen: [Int32: Duration] = [:]
    private var isStuckTold = false
    /// Whether a press may have come since the last loss: a panel that reports nonsense causes few losses.
    private var mayLose = true

    /// - Parameter isTouched: whether something lies on the panel. It has no effect until it is lifted and comes again.
    init(isTouched: Bool = false) { if isTouched { state = .spoiled } }

    /// The next time at which ``tick(at:on:)`` may have an effect; nil when none.
    var nextTick: Duration? {
        guard case .holding(let hold) = state, case .press(.back, _) = hold.key.effect else { return nil }
        return hold.nextRepeat
    }

    /// Takes all contacts of one moment.
    mutating func take(_ contacts: [Contact], at time: Duration, on screen: TouchKeys?) -> [Effect] {
        firstSeen = firstSeen.filter { seen in contacts.contains { $0.id == seen.key } }
        for contact in contacts where firstSeen[contact.id] == nil { firstSeen[contact.id] = time }
        let moving = contacts.filter { time - (firstSeen[$0.id] ?? time) < TouchTracker.stuck }
        var effects: [Effect] = []
        if moving.count < contacts.count {
            if !isStuckTold { effects.append(.stuck) }
            isStuckTold = true
        } else {
            isStuckTold = false
        }
        if moving.isEmpty { return effects + lifted(at: time, on: screen) }
        guard moving.count == 1, !moving[0].isPalm else { return effects + spoil(losing: true) }
        return effects + follow(moving[0], at: time, on: screen)
    }

    /// Repeats BACK while a finger holds it, as long as that takes characters away.
    mutating func tick(at time: Duration, on screen: TouchKeys?) -> [Effect] {
        guard case .holding(var hold) = state, let screen, time >= hold.nextRepeat,
            case .press(.back, let label) = hold.key.effect
        else { return [] }
        guard screen.keys.contains(hold.key) else { return spoil() }
        hold.nextRepeat = time + TouchTracker.repeatInterval
        let isShorter = hold.typedAtRepeat.map { screen.typedCount < $0 } ?? true
        guard screen.typedCount > 0, isShorter else {
            state = .holding(hold)
            return []
        }
        hold.typedAtRepeat = screen.typedCount
        state = .holding(hold)
        return [.pressed(KeyPress(.back, touched: TouchedView(screen.subject, label)))]
    }

    /// Handles lost reports, or a panel that has gone: all fingers have to be lifted first.
    mutating func lose(_ reason: String, isTouched: Bool) -> [Effect] {
        firstSeen = [:]
        let effects = spoil() + loss(reason)
        state = isTouched ? .spoiled : .free
        return effects
    }

    private mutating func follow(_ contact: Contact, at time: Duration, on screen: TouchKeys?) -> [Effect] {
        switch state {
        case .spoiled: return []
        case .free:
            let key = screen?.key(at: contact)
            let isBounce = last.map { $0.place == key?.place && time - $0.at < TouchTracker.bounce } ?? false
            let isHasty = last.map { time - $0.at < TouchTracker.haste } ?? false
            guard let screen, let key, !isBounce, !isHasty, time - key.since >= TouchTracker.settling else {
                state = .spoiled
                return isHasty && !isBounce && key != nil ? loss("keys were touched faster than a hand types") : []
            }
            state = .holding(
                Hold(key: key, contact: contact.id, nextRepeat: time + TouchTracker.repeatDelay))
            return screen.isSecret ? [] : [.touched(key)]
        case .holding(let hold):
            guard hold.contact == contact.id, let screen, screen.keys.contains(hold.key),
                screen.isWithin(hold.key, contact)
            else { return spoil() }
            return []
        }
    }

    private mutating func lifted(at time: Duration, on screen: TouchKeys?) -> [Effect] {
        guard case .holding(let hold) = state else {
            // A lift within the bounce time extends the bounce.
            if case .spoiled = state, let last, time - last.at < TouchTracker.bounce { self.last?.at = time }
            state = .free
            return []
        }
        state = .free
        guard let screen, screen.keys.contains(hold.key) else { return [.touched(nil)] }
        (last, mayLose) = ((hold.key.place, time), true)
        let shown: [Effect] = screen.isSecret ? [] : [.touched(nil)]
        // The repetitions of BACK were the presses.
        guard hold.typedAtRepeat == nil else { return shown }
        return shown + screen.presses(of: hold.key)
    }

    /// - Parameter losing: whether the key may have been meant.
    private mutating func spoil(losing: Bool = false) -> [Effect] {
        defer { state = .spoiled }
        guard case .holding = state else { return [] }
        return [.touched(nil)] + (losing ? loss("more than one finger touched the panel") : [])
    }

    private mutating func loss(_ reason: String) -> [Effect] {
        defer { mayLose = false }
        return mayLose ? [.lost(reason)] : []
    }
}

extension TouchKeys {
    /// A place on the panel as it is built, as a place in the picture.
    private func point(_ contact: Contact) -> (x: Double, y: Double)? {
        guard let x = contact.x, let y = contact.y else { return nil }
        let (across, down) =
            switch rotation {
            case .none: (x, y)
            case .right: (y, 1 - x)
            case .half: (1 - x, 1 - y)
            case .left: (1 - y, x)
            }
        return (across * Double(width), down * Double(height))
    }

    fileprivate func key(at contact: Contact) -> TouchKey? {
        guard let point = point(contact) else { return nil }
        return keys.first { $0.place.contains(point, margin: 0) }
    }

    /// Whether the finger is still on a key. It may roll a little beyond the edge.
    fileprivate func isWithin(_ key: TouchKey, _ contact: Contact) -> Bool {
        guard let point = point(contact) else { return false }
        return key.place.contains(point, margin: Double(min(key.place.width, key.place.height)) / 4)
    }

    fileprivate func presses(of key: TouchKey) -> [TouchTracker.Effect] {
        switch key.effect {
        case .press(let pressed, let label):
            return [.pressed(KeyPress(pressed, touched: TouchedView(subject, label)))]
        case .otherKeyboard: return [.otherKeyboard]
        case .domain(let domain):
            let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
            let begun = parts.count == 2 ? "@\(parts[1])" : ""
            guard "@\(domain)".hasPrefix(begun) else { return [] }
            return "@\(domain)".dropFirst(begun.count).map { character in
                .pressed(KeyPress(.character(character), touched: TouchedView(subject, nil)))
            }
        }
    }
}

extension KeyPlace {
    fileprivate func contains(_ point: (x: Double, y: Double), margin: Double) -> Bool {
        point.x >= Double(x) - margin && point.x < Double(x + width) + margin && point.y >= Double(y) - margin
            && point.y < Double(y + height) + margin
    }
}
