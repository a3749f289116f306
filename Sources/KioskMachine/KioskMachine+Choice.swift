// SPDX-License-Identifier: Apache-2.0

import KioskPorts

// Which of several identities: by number or first letters. Who types must not learn who else has an identity here, so a
// text that fits nobody and one that fits several are answered alike.
extension KioskMachine {
    /// Initials alone would let a passer-by try the alphabet.
    static let fewestLetters = 2
    /// How many lines of a list are shown at a time.
    static let pageLength = 6

    mutating func chooseIdentity(_ session: Session) -> [KioskAction] {
        state = .choosing(session, TextEntry(capacity: 32), hint: nil, page: 0)
        return []
    }

    mutating func identityChosen(_ session: Session, _ entry: TextEntry, page: Int) -> [KioskAction] {
        var session = session
        if Int(entry.text) == 0, session.purpose != .identities { return typeIdentity(session) }
        guard let identity = session.identity(typed: entry.text) else {
            var fresh = entry
            fresh.removeAll()
            state = .choosing(session, fresh, hint: .choiceUnknown, page: page)
            return []
        }
        session.isPicked = true
        return session.purpose == .identities ? showIdentity(session, identity) : proceed(session, as: identity)
    }

    static func pageCount(of count: Int) -> Int { max((count + pageLength - 1) / pageLength, 1) }
}

extension KioskMachine.Session {
    /// The one identity with this number, or whose name alone begins so.
    fileprivate func identity(typed text: String) -> KioskIdentity? {
        if let number = Int(text) { return identities.first { $0.number == number } }
        guard text.count >= KioskMachine.fewestLetters else { return nil }
        let matches = identities.filter { $0.userID.lowercased().hasPrefix(text.lowercased()) }
        return matches.count == 1 ? matches[0] : nil
    }
}
