// SPDX-License-Identifier: Apache-2.0

/// A browser that waits to be logged in by a device. docs/protocol/milagro.md, section 7.3.
package struct LoginSession: Codable, Sendable {
    package static let lifetime = Duration.seconds(300)
    /// The time a device that began in the last second gets to finish.
    static let grace = Duration.seconds(5)
    /// How long a device waits for the browser after a right PIN.
    static let browserDeadline = Duration.seconds(10)
    /// How long it waits before it asks again, where there was no room for the browser.
    static let pauseWithoutRoom = Duration.seconds(5)

    /// The device's report; the raw values are those of the wire.
    package enum Progress: String, Codable { case new, scanned = "wid", user, abort }

    package var progress = Progress.new
    /// The user that the device named, as it named it.
    var userID = ""
    /// Set once the PIN was right: the browser fetches its authOTT and hands it to the relying party.
    var login: VerifiedLogin?
    /// Names the application that the page logs people in to; nil for the place's own web site.
    var application: String?

    var isOpen: Bool { login == nil }
}

/// The browsers that wait for a device, by the code in their picture. A person may type an access number instead, which
/// stands for such a code.
///
/// A number says nothing by itself, so each is kept, and there is a bound on how many are open: the fewer, the harder
/// one is guessed. Pages that get none show their picture alone.
struct LoginSessions: Sendable {
    private struct Number: Codable, Sendable {
        let accessCode: String
        /// When the number ends, if no device has read it; and after one has.
        let changes: WallTime
        let ends: WallTime
    }

    let coded: CodedSessions<LoginSession>
    private let numbers: any VolatileTable<String, Number>

    /// - Parameters:
    ///   - place: whose they are.
    ///   - codeLifetime: how long a page shows a code that no device reads.
    ///   - networks: nil where nothing is configured.
    /// - Throws: `BackendError.randomnessUnavailable`.
    init(
        at place: String, codeLifetime: Duration = .seconds(30), networks: NetworkPlaces? = nil,
        in storage: any VolatileStorage
    ) throws(BackendError) {
        coded = try CodedSessions(
            place + "/sessions", fresh: LoginSession(),
            remainder: LoginSession.lifetime + LoginSession.grace - codeLifetime, networks: networks, in: storage)
        numbers = storage.table(place + "/access numbers", bounds: TableBounds(capacity: AccessNumber.capacity))
    }

    /// Notes the application that a fresh code is for: until the page shows another code, or a device has read it.
    /// - Throws: `Refusal` 429, 503 when there is no room; `StorageError`.
    nonisolated(nonsending) func name(_ application: String, at accessCode: String, now: WallTime) async throws {
        try await coded.report(to: accessCode, keepsCode: false, now: now) {
            $0.application = application
            return true
        }
    }

    /// Lets a number stand for a code.
    /// - Parameters:
    ///   - expires: when it ends if no device has read it.
    ///   - end: when it ends after that.
    /// - Returns: false when the number stands for another code.
    /// - Throws: `Refusal` 429, 503 when there are enough; `StorageError`.
    nonisolated(nonsending) func add(
        _ number: String, for accessCode: String, until expires: WallTime, keptUntil end: WallTime, now: WallTime
    ) async throws -> Bool {
        let new = Number(accessCode: accessCode, changes: expires, ends: end)
        return try await numbers.change(number, of: .currentNewcomer, now: now) { entry in
            guard entry == nil else { return false }
            entry = TableEntry(value: new, expires: expires)
            return true
        }
    }

    /// The code that a device's person has shown or typed; nil for a number that stands for none.
    nonisolated(nonsending) func accessCode(_ typed: String, now: WallTime) async throws(StorageError) -> String? {
        AccessNumber.isOne(typed) ? try await numbers.value(for: typed, now: now)?.accessCode : typed
    }

    /// A device has read a number, or given it up.
    nonisolated(nonsending) func keep(
        _ number: String, _ progress: LoginSession.Progress, now: WallTime
    ) async throws(StorageError) {
        try await numbers.change(number, now: now) { entry in
            guard let known = entry?.value else { return }
            entry?.expires = progress == .abort ? known.changes : known.ends
        }
    }

    /// The login with a number has ended.
    nonisolated(nonsending) func remove(number: String, now: WallTime) async throws(StorageError) {
        try await numbers.take(number, now: now)
    }

    /// Takes the report of a device that has proved nothing. If there is no room, the page does not hear the report.
    /// There is no other consequence.
    /// - Returns: the session; nil when no device may log it in any more.
    @discardableResult
    nonisolated(nonsending) func report(
        _ progress: LoginSession.Progress, of userID: String, to accessCode: String, now: WallTime
    ) async throws(StorageError) -> LoginSession? {
        var told: LoginSession?
        do {
            let isOpen = try await coded.report(to: accessCode, keepsCode: progress != .abort, now: now) { session in
                guard session.isOpen else { return false }
                (session.progress, session.userID) = (progress, progress == .user ? userID : "")
                told = session
                return true
            }
            return isOpen ? told : nil
        } catch let error as StorageError {
            throw error
        } catch {
            return told
        }
    }

    /// Changes an open session for a device that has proved its PIN.
    /// - Returns: false when it is not open any more: another device was faster.
    nonisolated(nonsending) func finish(
        _ accessCode: String, with login: VerifiedLogin, now: WallTime
    ) async throws(StorageError) -> Bool {
        try await coded.update(accessCode, now: now) { entry -> Bool? in
            guard entry.value.isOpen else { return nil }
            entry.value.login = login
            entry.expires = max(entry.expires, login.deadline)
            return true
        } ?? false
    }

    /// Changes the session whose page hands `authOTT` over, while its device waits.
    /// - Parameter body: nil when that cannot be.
    nonisolated(nonsending) func update<Result: Sendable>(
        waitingWith authOTT: OneTimeToken, now: WallTime, _ body: (inout VerifiedLogin) -> Result?
    ) async throws(StorageError) -> Result? {
        guard let accessCode = coded.accessCode(ofLogin: authOTT) else { return nil }
        return try await coded.update(accessCode, now: now) { entry in
            guard var login = entry.value.login, login.deadline > now, let result = body(&login) else { return nil }
            entry.value.login = login
            return result
        }
    }

    /// The device waits no more.
    /// - Returns: what was decided, in the very last moment, too; nil when nothing was, and nothing can be any more.
    nonisolated(nonsending) func end(
        _ accessCode: String, now: WallTime
    ) async throws(StorageError) -> LoginResult? {
        try await coded.update(accessCode, now: now) { entry -> VerifiedLogin? in
            guard let login = entry.value.login else { return nil }
            if login.result == nil { entry.value.login?.result = .timedOut }
            return login
        }?.result
    }

    /// The login came to nothing, and the page's code counts once more.
    nonisolated(nonsending) func reopen(
        _ accessCode: String, after authOTT: OneTimeToken, now: WallTime
    ) async throws(StorageError) {
        try await coded.update(accessCode, now: now) { entry -> Bool? in
            guard entry.value.login?.authOTT == authOTT else { return nil }
            entry.value.login = nil
            return true
        }
    }
}
