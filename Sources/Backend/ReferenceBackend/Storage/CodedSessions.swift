// SPDX-License-Identifier: Apache-2.0

/// Browser sessions by the code in their picture. Only those are kept in which something happened: a fresh one is in
/// its codes, so strangers who open pages fill nothing.
struct CodedSessions<Session: Codable & Sendable>: Sendable {
    enum State: Codable, Sendable { case open(Session), closed }

    private let codes: SessionCodes
    private let networks: NetworkPlaces
    /// How much longer a code lasts that was read while its page showed it.
    private let remainder: Duration
    /// A session before anything happened.
    private let fresh: Session
    let begun: any VolatileTable<String, State>
    private let storage: any VolatileStorage

    /// - Parameters:
    ///   - name: of its table.
    ///   - remainder: how much longer a code lasts that was read while its page showed it.
    ///   - networks: nil where nothing is configured.
    /// - Throws: `BackendError.randomnessUnavailable`.
    init(
        _ name: String, fresh: Session, remainder: Duration = .zero, networks: NetworkPlaces? = nil,
        in storage: any VolatileStorage
    ) throws(BackendError) {
        codes = SessionCodes(key: try storage.key(for: name))
        self.networks = if let networks { networks } else { try NetworkPlaces() }
        self.remainder = remainder
        self.fresh = fresh
        self.storage = storage
        begun = storage.table(name, bounds: .ofPeople.polled(.ofAll))
    }

    /// The codes of a session of the browser that asks. It is fresh until it expires.
    /// - Parameter isChanging: whether the page then shows another code, unless a device has read this one.
    /// - Throws: `BackendError`.
    func open(until expires: WallTime, isChanging: Bool = false) throws(BackendError) -> SessionCodes.Pair {
        try codes.makePair(
            SessionCodes.Content(expires: expires, network: networks.mark(of: .current), isChanging: isChanging))
    }

    /// Where the browser of a code is, seen from the device that asks; nil for a code that is none.
    func location(of accessCode: String, now: WallTime) -> BrowserLocation? {
        codes.content(of: accessCode, now: now).map { networks.location(of: $0.network, from: .current) }
    }

    /// When a fresh session ends.
    private func freshEnd(of accessCode: String, _ now: WallTime) -> WallTime? {
        codes.content(of: accessCode, now: now).flatMap { $0.expires > now ? $0.expires : nil }
    }

    /// When one ends whose code a device has read.
    private func end(of accessCode: String, _ now: WallTime) -> WallTime? {
        codes.content(of: accessCode, now: now).map { $0.isChanging ? $0.expires + remainder : $0.expires }
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

    /// Returns the session that a page polls after it has shown its code.
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
        case nil: freshEnd(of: accessCode, now).map { TableEntry(value: fresh, expires: $0) }
        }
    }

    /// Keeps what is said about an open session by a device or a page that has proved nothing.
    /// - Parameters:
    ///   - keepsCode: whether the page goes on to show its code. When a person has said no it shows another one in
    ///     time, as if no device had read it.
    ///   - body: says whether that counts.
    /// - Returns: the same; false when there is no such session.
    /// - Throws: `Refusal` 429, 503 when that counts and there is no room; `StorageError`.
    @discardableResult
    nonisolated(nonsending) func report(
        to accessCode: String, keepsCode: Bool = true, now: WallTime, _ body: (inout Session) -> Bool
    ) async throws -> Bool {
        let content = codes.content(of: accessCode, now: now)
        let end = keepsCode ? end(of: accessCode, now) : content?.expires
        func say(_ entry: inout TableEntry<State>?) -> Bool {
            guard case .open(var session)? = entry?.value, body(&session) else { return false }
            entry?.value = .open(session)
            if content?.isChanging == true, let end { entry?.expires = end }
            return true
        }
        let first = firstReport(accessCode, end, now, body)
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
        _ accessCode: String, _ end: WallTime?, _ now: WallTime, _ body: (inout Session) -> Bool
    ) -> TableEntry<State>? {
        var session = fresh
        guard let end, freshEnd(of: accessCode, now) != nil, body(&session) else { return nil }
        return TableEntry(value: .open(session), expires: end)
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
            guard var known = provedSession(accessCode, entry, now) else { return nil }
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
            guard var known = provedSession(accessCode, entry, now), body(&known) else { return false }
            entry = TableEntry(value: .open(known.value), expires: known.expires)
            return true
        }
    }

    /// A session whose device has proved a PIN, perhaps without a word before: the page keeps its code.
    private func provedSession(
        _ accessCode: String, _ entry: TableEntry<State>?, _ now: WallTime
    ) -> TableEntry<Session>? {
        session(accessCode, entry, now).map { known in
            TableEntry(value: known.value, expires: max(known.expires, end(of: accessCode, now) ?? known.expires))
        }
    }

    /// Ends a session: its codes count no more.
    nonisolated(nonsending) func remove(_ accessCode: String, now: WallTime) async throws(StorageError) {
        try await begun.change(accessCode, now: now) { entry in
            guard let expires = entry?.expires ?? freshEnd(of: accessCode, now), expires > now else { return }
            entry = TableEntry(value: .closed, expires: expires)
        }
    }
}
