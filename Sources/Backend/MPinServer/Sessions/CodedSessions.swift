// SPDX-License-Identifier: Apache-2.0

/// Browser sessions by the code in their picture. Only those are kept in which something happened: a fresh one is in
/// its codes, so strangers who open pages fill nothing.
struct CodedSessions<Session: Codable & Sendable>: Sendable {
    enum State: Codable, Sendable { case open(Session), closed }

    private let codes: SessionTokens
    private let networks: NetworkPlaces
    /// How much longer a code lasts that was read while its page showed it.
    private let remainder: Duration
    /// A session before anything happened.
    private let fresh: Session
    private let begun: any VolatileTable<String, State>

    /// - Parameters:
    ///   - name: of its table.
    ///   - remainder: how much longer a code lasts that was read while its page showed it.
    ///   - networks: nil where nothing is configured.
    /// - Throws: `BackendError.randomnessUnavailable`.
    init(
        _ name: String, fresh: Session, remainder: Duration = .zero, networks: NetworkPlaces? = nil,
        in storage: any VolatileStorage
    ) throws(BackendError) {
        codes = SessionTokens(key: try storage.key(for: name))
        self.networks = if let networks { networks } else { try NetworkPlaces() }
        self.remainder = remainder
        self.fresh = fresh
        begun = storage.table(name, bounds: .ofPeople.watched)
    }

    /// The codes of a session of the browser that asks. It is fresh until it expires.
    /// - Parameter isChanging: whether the page then shows another code, unless a device has read this one.
    /// - Throws: `BackendError`.
    func open(until expires: WallTime, isChanging: Bool = false) throws(BackendError) -> SessionTokens.Pair {
        try codes.makePair(
            SessionTokens.Content(expires: expires, network: networks.mark(of: .current), isChanging: isChanging))
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

    /// The code of the page that hands `authOTT` over.
    func accessCode(ofLogin authOTT: OneTimeToken) -> String? { codes.accessCode(ofLogin: authOTT) }

    /// The token that a page hands over once the PIN was right.
    func authOTT(of accessCode: String) -> OneTimeToken? { codes.authOTT(of: accessCode) }

    /// Yields when the session changes, as ``VolatileTable/changes(of:)`` says.
    func changes(of accessCode: String) -> AsyncStream<Void> { begun.changes(of: accessCode) }

    nonisolated(nonsending) func value(for accessCode: String, now: WallTime) async throws(StorageError) -> Session? {
        try await entry(for: accessCode, now: now)?.value
    }

    nonisolated(nonsending) func entry(
        for accessCode: String, now: WallTime
    ) async throws(StorageError) -> TableEntry<Session>? {
        session(accessCode, try await begun.entry(for: accessCode, now: now), now)
    }

    /// - Parameter entry: what is kept about it.
    private func session(_ accessCode: String, _ entry: TableEntry<State>?, _ now: WallTime) -> TableEntry<Session>? {
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
        return try await begun.change(accessCode, of: .currentNewcomer, now: now) { entry in
            guard var known = session(accessCode, entry, now), let end, body(&known.value) else { return false }
            if entry == nil || content?.isChanging == true { known.expires = end }
            entry = TableEntry(value: .open(known.value), expires: known.expires, owner: entry?.owner)
            return true
        }
    }

    /// Changes a session for a device that has proved a PIN: it takes a newcomer's room no more.
    /// - Parameter body: sees an open session, and says what came of it; nil when nothing did.
    /// - Returns: nil also when there is no such session.
    @discardableResult
    nonisolated(nonsending) func update<Result: Sendable>(
        _ accessCode: String, now: WallTime, _ body: (inout TableEntry<Session>) -> Result?
    ) async throws(StorageError) -> Result? {
        try await begun.change(accessCode, now: now) { entry -> Result? in
            guard var known = provedSession(accessCode, entry, now), let result = body(&known) else { return nil }
            entry = TableEntry(value: .open(known.value), expires: known.expires)
            return result
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

    /// Ends a session that only newcomers use, and gives their room back.
    nonisolated(nonsending) func giveUp(_ accessCode: String, now: WallTime) async throws(StorageError) {
        try await begun.change(accessCode, now: now) { entry in
            guard let known = entry, known.owner?.isNewcomer == true else { return }
            entry = TableEntry(value: .closed, expires: known.expires)
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
