// SPDX-License-Identifier: Apache-2.0

package import BackendValues

/// The sessions of an endpoint's pages, by the code in their picture. Only those are stored in which something
/// happened. A new one is in its tokens, so strangers who open pages fill nothing.
package struct LoginSessions: Sendable {
    private let tokens: SessionTokens
    private let networks: NetworkPlaces
    /// The extra lifetime of a code that a device read while its page showed it.
    private let remainder: Duration
    private let stored: any VolatileTable<String, LoginSession>

    /// - Parameters:
    ///   - name: of its table.
    ///   - remainder: the extra lifetime of a code that a device read while its page showed it.
    /// - Throws: `BackendError.randomnessUnavailable`.
    init(
        _ name: String, remainder: Duration, networks: NetworkPlaces, in storage: any VolatileStorage
    ) throws(BackendError) {
        tokens = SessionTokens(key: try storage.key(for: name))
        self.networks = networks
        self.remainder = remainder
        stored = storage.table(name, bounds: .ofPeople.watched)
    }

    /// Opens a session of the browser that asks. It is new until it expires.
    /// - Parameters:
    ///   - isChanging: whether the page then shows another code, unless a device has read this one.
    ///   - request: stored unless it is empty.
    /// - Throws: `Refusal` 429, 503 when there is no room for the request; `StorageError`.
    package nonisolated(nonsending) func open(
        until expires: WallTime, isChanging: Bool = false, for request: SessionRequest = SessionRequest(), now: WallTime
    ) async throws -> SessionTokens.Pair {
        let pair = try tokens.makePair(
            SessionTokens.Content(expires: expires, network: networks.mark(of: .current), isChanging: isChanging))
        guard request.saysAnything else { return pair }
        try await change(pair.accessCode, keepsCode: false, now: now) {
            $0.request = request
            return true
        }
        return pair
    }

    /// The location of a code's browser, seen from the device that asks; nil for an invalid code.
    func location(of accessCode: String, now: WallTime) -> BrowserLocation? {
        tokens.content(of: accessCode, now: now).map { networks.location(of: $0.network, from: .current) }
    }

    /// The end of a new session.
    private func freshEnd(of accessCode: String, _ now: WallTime) -> WallTime? {
        tokens.content(of: accessCode, now: now).flatMap { $0.expires > now ? $0.expires : nil }
    }

    /// The end of a session whose code a device has read.
    private func end(of accessCode: String, _ now: WallTime) -> WallTime? {
        tokens.content(of: accessCode, now: now).map { $0.isChanging ? $0.expires + remainder : $0.expires }
    }

    package func accessCode(of webOTT: OneTimeToken) -> String? { tokens.accessCode(of: webOTT) }

    /// The code of the page that hands `authOTT` over.
    package func accessCode(ofLogin authOTT: OneTimeToken) -> String? { tokens.accessCode(ofLogin: authOTT) }

    /// The token that a page hands over once the PIN was right.
    func authOTT(of accessCode: String) -> OneTimeToken? { tokens.authOTT(of: accessCode) }

    /// Yields when the session changes, as ``VolatileTable/changes(of:)`` describes.
    package func changes(of accessCode: String) -> AsyncStream<Void> { stored.changes(of: accessCode) }

    /// - Returns: nil when it has ended.
    package nonisolated(nonsending) func value(
        for accessCode: String, now: WallTime
    ) async throws(StorageError) -> LoginSession? {
        try await entry(for: accessCode, now: now)?.value
    }

    nonisolated(nonsending) func entry(
        for accessCode: String, now: WallTime
    ) async throws(StorageError) -> TableEntry<LoginSession>? {
        session(accessCode, try await stored.entry(for: accessCode, now: now), now)
    }

    /// - Parameter entry: the stored session; nil for a new one.
    private func session(
        _ accessCode: String, _ entry: TableEntry<LoginSession>?, _ now: WallTime
    ) -> TableEntry<LoginSession>? {
        guard let entry else {
            return freshEnd(of: accessCode, now).map { TableEntry(value: LoginSession(), expires: $0) }
        }
        return entry.value.status == .ended ? nil : TableEntry(value: entry.value, expires: entry.expires)
    }

    /// Takes the report of a device that has proved nothing. If there is no room, the page does not see the report.
    /// There is no other consequence.
    /// - Returns: the session; nil when no device may log it in any more.
    @discardableResult
    nonisolated(nonsending) func report(
        _ status: LoginStatus, of userID: String, to accessCode: String, now: WallTime
    ) async throws(StorageError) -> LoginSession? {
        do {
            return try await change(accessCode, keepsCode: status != .declined, now: now) {
                $0.report(status, of: userID)
            }
        } catch let error as StorageError {
            throw error
        } catch {
            var session = try await value(for: accessCode, now: now)
            return session?.report(status, of: userID) == true ? session : nil
        }
    }

    /// Changes an open session for a device or page that has proved nothing.
    /// - Parameters:
    ///   - keepsCode: whether the page keeps showing its code. After a person has declined, the page replaces the code
    ///     in time, as if no device had read it.
    ///   - body: returns whether it has changed anything.
    /// - Returns: the changed session; nil when nothing has changed, or there is no such session.
    /// - Throws: `Refusal` 429, 503 when there is no room; `StorageError`.
    @discardableResult
    private nonisolated(nonsending) func change(
        _ accessCode: String, keepsCode: Bool, now: WallTime,
        _ body: @escaping @Sendable (inout LoginSession) -> Bool
    ) async throws -> LoginSession? {
        let content = tokens.content(of: accessCode, now: now)
        let end = keepsCode ? end(of: accessCode, now) : content?.expires
        return try await stored.change(accessCode, of: .currentNewcomer, now: now) { entry in
            guard var known = session(accessCode, entry, now), let end, body(&known.value) else { return nil }
            if entry == nil || content?.isChanging == true { known.expires = end }
            entry = TableEntry(value: known.value, expires: known.expires, owner: entry?.owner)
            return known.value
        }
    }

    /// Changes a session whose device has proved a PIN. It no longer takes a newcomer's room, and the page keeps its
    /// code.
    /// - Parameter body: returns its result; nil when it has changed nothing.
    /// - Returns: nil also when there is no such session.
    @discardableResult
    package nonisolated(nonsending) func update<Result: Sendable>(
        _ accessCode: String, now: WallTime,
        _ body: @escaping @Sendable (inout TableEntry<LoginSession>) -> Result?
    ) async throws(StorageError) -> Result? {
        try await stored.change(accessCode, now: now) { entry -> Result? in
            guard var known = session(accessCode, entry, now) else { return nil }
            known.expires = max(known.expires, end(of: accessCode, now) ?? known.expires)
            guard let result = body(&known) else { return nil }
            entry = TableEntry(value: known.value, expires: known.expires)
            return result
        }
    }

    /// Ends a session that only newcomers use, and gives their room back.
    package nonisolated(nonsending) func giveUp(_ accessCode: String, now: WallTime) async throws(StorageError) {
        try await stored.change(accessCode, now: now) { entry in
            guard let known = entry, known.owner?.isNewcomer == true else { return }
            entry = TableEntry(value: LoginSession(.ended), expires: known.expires)
        }
    }
}
