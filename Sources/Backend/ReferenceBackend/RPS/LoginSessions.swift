// SPDX-License-Identifier: Apache-2.0

/// A browser that waits to be logged in by a device. Milagro protocol, section 7.3.
struct LoginSession: Codable, Sendable {
    static let lifetime = Duration.seconds(300)
    /// The time a device that began in the last second gets to finish.
    static let grace = Duration.seconds(5)
    /// How long a device waits for the browser after a right PIN.
    static let browserDeadline = Duration.seconds(10)
    /// How long it waits before it asks again, where there was no room for the browser.
    static let pauseWithoutRoom = Duration.seconds(5)

    /// The device's report; the raw values are those of the wire.
    enum Progress: String, Codable { case new, scanned = "wid", user, abort }

    var progress = Progress.new
    /// The user that the device named, as it named it.
    var userID = ""
    /// Set once the PIN was right: the browser fetches its authOTT and hands it to the relying party.
    var login: VerifiedLogin?
    /// Names the application that the page logs people in to; nil for the place's own web site.
    var application: String?
    /// Of an access number: the network of its page.
    var network: NetworkMark?
    /// Of an access number that its page changes.
    var changing: ChangingNumber?

    var isOpen: Bool { login == nil }
}

/// The record that keeps an access number on its page, once a device has read it.
struct ChangingNumber: Codable, Sendable {
    /// The token that the page polls with.
    let webOTT: OneTimeToken
    /// When the page shows another number, if no device has read this one.
    let changes: WallTime
    /// When the session ends.
    let expires: WallTime
}

/// The browsers that wait for a device, by the code in their picture or by access number.
///
/// A number says nothing by itself, so each is kept, and there is a bound on how many are open: the fewer, the harder
/// one is guessed. Pages that get none show their picture alone.
struct LoginSessions: Sendable {
    let coded: CodedSessions<LoginSession>
    private let numbers: any VolatileTable<String, LoginSession>
    private let numbersByWebOTT: any VolatileTable<OneTimeToken, String>
    /// The codes of sessions whose device waits.
    private let codesByAuthOTT: any VolatileTable<OneTimeToken, String>
    private let storage: any VolatileStorage
    private let networks: NetworkPlaces

    /// - Parameters:
    ///   - place: whose they are.
    ///   - codeLifetime: how long a page shows a code that no device reads.
    ///   - networks: nil where nothing is configured.
    /// - Throws: `BackendError.randomnessUnavailable`.
    init(
        at place: String, codeLifetime: Duration = .seconds(30), networks: NetworkPlaces? = nil,
        in storage: any VolatileStorage
    ) throws(BackendError) {
        self.storage = storage
        self.networks = if let networks { networks } else { try NetworkPlaces() }
        coded = try CodedSessions(
            place + "/sessions", fresh: LoginSession(),
            remainder: LoginSession.lifetime + LoginSession.grace - codeLifetime,
            networks: self.networks, in: storage)
        let bounds = TableBounds(capacity: AccessNumber.capacity).polled(.ofWhatIsThere)
        numbers = storage.table(place + "/access numbers", bounds: bounds)
        numbersByWebOTT = storage.table(place + "/access numbers of pages", bounds: bounds)
        codesByAuthOTT = storage.table(place + "/waiting devices", bounds: .ofPeople)
    }

    func openCode(until expires: WallTime, isChanging: Bool = false) throws(BackendError) -> SessionCodes.Pair {
        try coded.open(until: expires, isChanging: isChanging)
    }

    /// Notes the application that a fresh code is for: until the page shows another code, or a device has read it.
    /// - Throws: `Refusal` 429, 503 when there is no room; `StorageError`.
    nonisolated(nonsending) func name(_ application: String, at accessCode: String, now: WallTime) async throws {
        try await coded.report(to: accessCode, keepsCode: false, now: now) {
            $0.application = application
            return true
        }
    }

    /// Where the browser of a session is, seen from the device that asks; nil for a session that is not there.
    nonisolated(nonsending) func location(
        of accessCode: String, now: WallTime
    ) async throws(StorageError) -> BrowserLocation? {
        guard AccessNumber.isOne(accessCode) else { return coded.location(of: accessCode, now: now) }
        return try await numbers.value(for: accessCode, now: now)?.network.map {
            networks.location(of: $0, from: .current)
        }
    }

    /// - Parameters:
    ///   - expires: when it ends if no device has read it.
    ///   - end: when it ends after that; nil where its page does not change it.
    /// - Returns: nil when the number is that of an open session.
    /// - Throws: `Refusal` 429, 503 when there are enough; `BackendError.randomnessUnavailable`, `StorageError`.
    nonisolated(nonsending) func open(
        _ number: String, until expires: WallTime, keptUntil end: WallTime? = nil, for application: String? = nil,
        now: WallTime
    ) async throws -> OneTimeToken? {
        let webOTT = try OneTimeToken.random()
        var session = LoginSession()
        session.application = application
        session.network = networks.mark(of: .current)
        session.changing = end.map { ChangingNumber(webOTT: webOTT, changes: expires, expires: $0) }
        let isOpen = try await storage.attempt([
            numbers.inserting(session, for: number, of: .currentNewcomer, expires: expires, now: now),
            numbersByWebOTT.inserting(number, for: webOTT, of: .currentNewcomer, expires: expires, now: now),
        ])
        if isOpen { return webOTT }
        guard try await numbers.value(for: number, now: now) == nil else { return nil }
        try await numbers.insert(session, for: number, of: .currentNewcomer, expires: expires, now: now)
        try await numbersByWebOTT.insert(number, for: webOTT, of: .currentNewcomer, expires: expires, now: now)
        return webOTT
    }

    /// The session that a page polls with `webOTT`.
    nonisolated(nonsending) func value(
        polledWith webOTT: OneTimeToken, now: WallTime
    ) async throws(StorageError) -> LoginSession? {
        if let accessCode = coded.accessCode(of: webOTT) {
            return try await coded.value(polledWith: accessCode, now: now, while: \.isOpen)
        }
        // What a stranger guesses is not remembered: it is not there.
        guard
            let number = try await numbersByWebOTT.polledEntry(for: webOTT, now: now, while: { $0 != nil })?.value
        else { return nil }
        return try await numbers.polledEntry(for: number, now: now) { $0?.value.isOpen == true }?.value
    }

    /// - Parameter accessCode: the code in the picture, or the number. So everywhere below.
    nonisolated(nonsending) func value(
        for accessCode: String, now: WallTime
    ) async throws(StorageError) -> LoginSession? {
        AccessNumber.isOne(accessCode)
            ? try await numbers.value(for: accessCode, now: now) : try await coded.value(for: accessCode, now: now)
    }

    /// Yields something when the session changes, as ``VolatileTable/changes(of:)`` says.
    func changes(of accessCode: String) -> AsyncStream<[UInt8]> {
        AccessNumber.isOne(accessCode) ? numbers.changes(of: accessCode) : coded.begun.changes(of: accessCode)
    }

    /// Takes the report of a device that has proved nothing. If there is no room, the page does not hear the report.
    /// There is no other consequence.
    /// - Returns: the session; nil when no device may log it in any more.
    @discardableResult
    nonisolated(nonsending) func report(
        _ progress: LoginSession.Progress, of userID: String, to accessCode: String, now: WallTime
    ) async throws(StorageError) -> LoginSession? {
        var told: LoginSession?
        func say(_ session: inout LoginSession) -> Bool {
            guard session.isOpen else { return false }
            (session.progress, session.userID) = (progress, progress == .user ? userID : "")
            told = session
            return true
        }
        if AccessNumber.isOne(accessCode) {
            let read = try await numbers.change(accessCode, now: now) { entry -> LoginSession? in
                guard var known = entry, say(&known.value) else { return nil }
                if let changing = known.value.changing {
                    known.expires = progress == .abort ? changing.changes : changing.expires
                }
                entry = known
                return known.value
            }
            if progress != .abort { try await keep(read?.changing, now: now) }
            return read
        }
        do {
            return try await coded.report(to: accessCode, keepsCode: progress != .abort, now: now, say) ? told : nil
        } catch let error as StorageError {
            throw error
        } catch {
            return told
        }
    }

    /// The page polls on for a number that a device has read.
    private nonisolated(nonsending) func keep(
        _ number: ChangingNumber?, now: WallTime
    ) async throws(StorageError) {
        guard let number else { return }
        try await numbersByWebOTT.change(number.webOTT, now: now) { $0?.expires = number.expires }
    }

    /// Changes an open session for a device that has proved its PIN.
    /// - Returns: false when it is not open any more: another device was faster.
    nonisolated(nonsending) func finish(
        _ accessCode: String, with login: VerifiedLogin, now: WallTime
    ) async throws(StorageError) -> Bool {
        try await codesByAuthOTT.insert(accessCode, for: login.authOTT, expires: login.deadline, now: now)
        func settled(_ entry: inout TableEntry<LoginSession>) -> LoginSession? {
            Self.settle(login, in: &entry) ? entry.value : nil
        }
        guard let session = try await change(accessCode, now: now, settled) ?? nil else {
            try await codesByAuthOTT.take(login.authOTT, now: now)
            return false
        }
        try await keep(session.changing, now: now)
        return true
    }

    /// The same as steps of an attempt.
    func finishing(_ accessCode: String, with login: VerifiedLogin, now: WallTime) -> [(any VolatileStep)?] {
        [
            codesByAuthOTT.inserting(accessCode, for: login.authOTT, of: nil, expires: login.deadline, now: now),
            changing(accessCode, now: now) { Self.settle(login, in: &$0) },
        ]
    }

    private static func settle(_ login: VerifiedLogin, in entry: inout TableEntry<LoginSession>) -> Bool {
        guard entry.value.isOpen else { return false }
        entry.value.login = login
        entry.expires = max(entry.expires, login.deadline, entry.value.changing?.expires ?? login.deadline)
        return true
    }

    /// Changes the session whose device waits with `authOTT`.
    /// - Parameter body: nil when that cannot be.
    nonisolated(nonsending) func update<Result: Sendable>(
        waitingWith authOTT: OneTimeToken, now: WallTime, _ body: (inout VerifiedLogin) -> Result?
    ) async throws(StorageError) -> Result? {
        guard let accessCode = try await codesByAuthOTT.value(for: authOTT, now: now) else { return nil }
        return try await change(accessCode, now: now) { entry in
            guard var login = entry.value.login, login.authOTT == authOTT, login.deadline > now,
                let result = body(&login)
            else { return nil }
            entry.value.login = login
            return result
        } ?? nil
    }

    /// The same, of the page that polls with `webOTT`, as a step of an attempt. Numbers have none.
    func updating(
        pageWith webOTT: OneTimeToken, now: WallTime, _ body: (inout VerifiedLogin) -> Bool
    ) -> (any VolatileStep)? {
        guard let accessCode = coded.accessCode(of: webOTT) else { return nil }
        return coded.updating(accessCode, now: now) { entry in
            guard var login = entry.value.login, login.deadline > now, body(&login) else { return false }
            entry.value.login = login
            return true
        }
    }

    /// The device waits no more.
    /// - Returns: what was decided, in the very last moment, too; nil when nothing was, and nothing can be any more.
    nonisolated(nonsending) func end(
        _ accessCode: String, now: WallTime
    ) async throws(StorageError) -> LoginResult? {
        try await change(accessCode, now: now) { entry in
            let result = entry.value.login?.result
            if result == nil { entry.value.login?.result = .timedOut }
            return result
        } ?? nil
    }

    /// The login came to nothing, and the page's code counts once more.
    nonisolated(nonsending) func reopen(
        _ accessCode: String, after authOTT: OneTimeToken, now: WallTime
    ) async throws(StorageError) {
        try await codesByAuthOTT.take(authOTT, now: now)
        _ = try await change(accessCode, now: now) { entry in
            if entry.value.login?.authOTT == authOTT { entry.value.login = nil }
        }
    }

    private nonisolated(nonsending) func change<Result: Sendable>(
        _ accessCode: String, now: WallTime, _ body: (inout TableEntry<LoginSession>) -> Result
    ) async throws(StorageError) -> Result? {
        guard AccessNumber.isOne(accessCode) else {
            return try await coded.updateEntry(accessCode, now: now, body)
        }
        return try await numbers.change(accessCode, now: now) { entry in
            guard var known = entry else { return nil }
            let result = body(&known)
            entry = known
            return result
        }
    }

    private func changing(
        _ accessCode: String, now: WallTime, _ body: (inout TableEntry<LoginSession>) -> Bool
    ) -> (any VolatileStep)? {
        AccessNumber.isOne(accessCode) ? nil : coded.updating(accessCode, now: now, body)
    }

    nonisolated(nonsending) func remove(_ accessCode: String, now: WallTime) async throws(StorageError) {
        if AccessNumber.isOne(accessCode) {
            try await numbers.take(accessCode, now: now)
        } else {
            try await coded.remove(accessCode, now: now)
        }
    }
}
