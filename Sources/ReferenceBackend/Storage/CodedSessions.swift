// SPDX-License-Identifier: Apache-2.0

/// Browser sessions by the code in their picture. Only those are kept in which something happened: a fresh one is in
/// its codes, so strangers who open pages fill nothing.
struct CodedSessions<Session: Codable & Sendable>: Sendable {
    enum State: Codable, Sendable { case open(Session), closed }

    private let codes: SessionCodes
    /// What a session is before anything happened.
    private let fresh: Session
    let begun: any VolatileTable<String, State>
    private let storage: any VolatileStorage

    /// - Parameter name: of its table.
    /// - Throws: `BackendError.randomnessUnavailable`.
    init(_ name: String, fresh: Session, in storage: any VolatileStorage) throws(BackendError) {
        codes = SessionCodes(key: try storage.key(for: name))
        self.fresh = fresh
        self.storage = storage
        begun = storage.table(name, bounds: .ofPeople.polled(.ofAll))
    }

    /// The codes of a session that is fresh until it expires.
    /// - Throws: `BackendError`.
    func open(until expires: WallTime) throws(BackendError) -> SessionCodes.Pair {
        try codes.makePair(expires: expires)
    }

    func accessCode(of webOTT: OneTimeToken) -> String? { codes.accessCode(of: webOTT) }

    nonisolated(nonsending) func value(for accessCode: String, now: WallTime) async throws(StorageError) -> Session? {
        try await entry(for: accessCode, now: now)?.value
    }

    nonisolated(nonsending) func entry(
        for accessCode: String, now: WallTime
    ) async throws(StorageError) -> TableEntry<Session>? {
        session(accessCode, try await begun.entry(for: accessCode, now: now), now)
    }

    /// What a page polls that has shown its code.
    /// - Parameter isWaiting: whether nothing has come of the session yet.
    nonisolated(nonsending) func value(
        polledWith accessCode: String, now: WallTime, while isWaiting: (Session) -> Bool
    ) async throws(StorageError) -> Session? {
        let entry = try await begun.polledEntry(for: accessCode, now: now) { entry in
            session(accessCode, entry, now).map { isWaiting($0.value) } ?? false
        }
        return session(accessCode, entry, now)?.value
    }

    /// - Parameter entry: what is kept about it.
    func session(_ accessCode: String, _ entry: TableEntry<State>?, _ now: WallTime) -> TableEntry<Session>? {
        switch entry?.value {
        case .open(let session)?: entry.map { TableEntry(value: session, expires: $0.expires) }
        case .closed?: nil
        case nil: codes.expiry(of: accessCode).flatMap { $0 > now ? TableEntry(value: fresh, expires: $0) : nil }
        }
    }

    /// Keeps what is said about an open session by a device or a page that has proved nothing.
    /// - Parameter body: says whether that counts.
    /// - Returns: the same; false when there is no such session.
    /// - Throws: `Refusal` 429, 503 when that counts and there is no room; `StorageError`.
    @discardableResult
    nonisolated(nonsending) func report(
        to accessCode: String, now: WallTime, _ body: (inout Session) -> Bool
    ) async throws -> Bool {
        func say(_ entry: inout TableEntry<State>?) -> Bool {
            guard case .open(var session)? = entry?.value, body(&session) else { return false }
            entry?.value = .open(session)
            return true
        }
        let first = firstReport(accessCode, now, body)
        // Most often it is as this process saw it last, or nothing was said yet.
        let step =
            begun.changing(accessCode, now: now, say)
            ?? first.flatMap {
                begun.inserting($0.value, for: accessCode, of: .currentNewcomer, expires: $0.expires, now: now)
            }
        if let step, try await storage.attempt([step]) { return true }
        let counts: Bool? = try await begun.change(accessCode, now: now) { $0 == nil ? nil : say(&$0) }
        guard counts == nil, let first else { return counts ?? false }
        try await begun.insert(first.value, for: accessCode, of: .currentNewcomer, expires: first.expires, now: now)
        return true
    }

    /// A fresh session after such a report; nil when that does not count, or the code none.
    private func firstReport(
        _ accessCode: String, _ now: WallTime, _ body: (inout Session) -> Bool
    ) -> TableEntry<State>? {
        var session = fresh
        guard let expires = codes.expiry(of: accessCode), expires > now, body(&session) else { return nil }
        return TableEntry(value: .open(session), expires: expires)
    }

    /// Changes a session for a device that has proved a PIN: it takes a newcomer's room no more.
    /// - Parameter body: sees an open session, and says what came of it.
    /// - Returns: nil when there is none.
    @discardableResult
    nonisolated(nonsending) func update<Result: Sendable>(
        _ accessCode: String, now: WallTime, _ body: (inout Session) -> Result
    ) async throws(StorageError) -> Result? {
        try await updateEntry(accessCode, now: now) { body(&$0.value) }
    }

    /// The same, and its end.
    nonisolated(nonsending) func updateEntry<Result: Sendable>(
        _ accessCode: String, now: WallTime, _ body: (inout TableEntry<Session>) -> Result
    ) async throws(StorageError) -> Result? {
        try await begun.change(accessCode, now: now) { entry in
            guard var known = session(accessCode, entry, now) else { return nil }
            let result = body(&known)
            entry = TableEntry(value: .open(known.value), expires: known.expires)
            return result
        }
    }

    /// Such a change as a step of an attempt.
    /// - Parameter body: says whether the session is as it should be.
    func updating(
        _ accessCode: String, now: WallTime, _ body: (inout TableEntry<Session>) -> Bool
    ) -> (any VolatileStep)? {
        begun.changing(accessCode, now: now) { entry in
            guard var known = session(accessCode, entry, now), body(&known) else { return false }
            entry = TableEntry(value: .open(known.value), expires: known.expires)
            return true
        }
    }

    /// Ends a session: its codes count no more.
    nonisolated(nonsending) func remove(_ accessCode: String, now: WallTime) async throws(StorageError) {
        try await begun.change(accessCode, now: now) { entry in
            guard let expires = entry?.expires ?? codes.expiry(of: accessCode), expires > now else { return }
            entry = TableEntry(value: .closed, expires: expires)
        }
    }
}
