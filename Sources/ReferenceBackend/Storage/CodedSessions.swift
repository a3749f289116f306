// SPDX-License-Identifier: Apache-2.0

/// Browser sessions by the code in their picture. Only those are kept in which something happened: a fresh one is in
/// its codes, so strangers who open pages fill nothing.
struct CodedSessions<Session: Sendable>: Sendable {
    private enum State: Sendable { case open(Session), closed }

    private let codes: SessionCodes
    /// What a session is before anything happened.
    private let fresh: Session
    private var begun: ExpiringTable<String, State>

    /// - Throws: `BackendError.randomnessUnavailable`.
    init(fresh: Session, bounds: TableBounds = TableBounds()) throws(BackendError) {
        codes = try SessionCodes()
        self.fresh = fresh
        begun = ExpiringTable(bounds: bounds)
    }

    /// The codes of a session that is fresh until it expires.
    /// - Throws: `BackendError`.
    func open(until expires: WallTime) throws(BackendError) -> SessionCodes.Pair {
        try codes.makePair(expires: expires)
    }

    func accessCode(of webOTT: OneTimeToken) -> String? { codes.accessCode(of: webOTT) }

    func value(for accessCode: String, now: WallTime) -> Session? {
        switch begun.value(for: accessCode, now: now) {
        case .open(let session)?: session
        case .closed?: nil
        case nil: codes.expiry(of: accessCode).flatMap { $0 > now ? fresh : nil }
        }
    }

    func expiry(of accessCode: String) -> WallTime? { begun.expiry(of: accessCode) ?? codes.expiry(of: accessCode) }

    /// Keeps what a device or a page says about a session that has proved nothing.
    /// - Throws: `Refusal` 429, 503.
    mutating func store(_ session: Session, for accessCode: String, now: WallTime) throws(Refusal) {
        guard let expires = expiry(of: accessCode) else { return }
        if begun.value(for: accessCode, now: now) != nil {
            begun.update(accessCode, now: now) { $0 = .open(session) }
        } else {
            try begun.insert(.open(session), for: accessCode, of: .currentNewcomer, expires: expires, now: now)
        }
    }

    /// Changes a session for a device that has proved a PIN; does nothing when there is none.
    mutating func update(_ accessCode: String, now: WallTime, _ change: (inout Session) -> Void) {
        guard var session = value(for: accessCode, now: now), let expires = expiry(of: accessCode) else { return }
        change(&session)
        begun.insert(.open(session), for: accessCode, expires: expires, now: now)
    }

    /// Moves the expiry of a session in which something happened to `expires` if that is later.
    mutating func keep(_ accessCode: String, until expires: WallTime) { begun.keep(accessCode, until: expires) }

    /// Ends a session: its codes count no more.
    mutating func remove(_ accessCode: String, now: WallTime) {
        guard let expires = expiry(of: accessCode), expires > now else { return }
        begun.insert(.closed, for: accessCode, expires: expires, now: now)
    }
}
