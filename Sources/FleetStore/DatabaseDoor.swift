// SPDX-License-Identifier: Apache-2.0

import Logging
import PostgreSQL

/// The way to a database that may be away when the kiosk starts: it is tried again until it is there.
actor DatabaseDoor {
    /// How long a first caller waits for the first try.
    private static let patience = Duration.seconds(6)
    private static let longestPause = Duration.seconds(30)

    private let target: ServerTarget
    private let settings: Database.Settings
    private let logger: Logger
    private var database: Database?
    private var lastFault: DatabaseFault?
    private var opening: Task<Void, Never>?
    private var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
    private var callers: UInt64 = 0

    init(_ target: ServerTarget, schema: String, limit: Duration, _ logger: Logger) {
        self.target = target
        // One, beside the one that listens: a kiosk serves one person at a time.
        settings = Database.Settings(
            schema: schema, connections: 1, waiting: 64, limit: limit, polling: .seconds(60))
        self.logger = logger
    }

    /// - Throws: why it is not there, at once when that is known already.
    func open() async throws(DatabaseFault) -> Database {
        if let database { return database }
        if opening == nil { opening = Task { await keepTrying() } }
        if lastFault == nil { await firstOutcome() }
        if let database { return database }
        throw lastFault ?? DatabaseFault(.late, "\(target) does not answer")
    }

    private func keepTrying() async {
        var pause = Duration.seconds(1)
        while !Task.isCancelled, database == nil {
            do throws(DatabaseFault) {
                database = try await Database.opened(
                    at: target, settings: settings, migrations: IdentityTables.migrations)
                if lastFault != nil { logger.notice("\(target) answers") }
            } catch {
                if lastFault != error {
                    logger.error(
                        "the database of people's identities is away",
                        metadata: ["cause": "\(error)", "hint": "\(error.hint ?? "it is tried again")"])
                }
                lastFault = error
            }
            for caller in Array(waiting.keys) { waiting.removeValue(forKey: caller)?.resume() }
            guard database == nil else { break }
            try? await Task.sleep(for: pause)
            pause = min(pause * 2, DatabaseDoor.longestPause)
        }
    }

    /// Waits for the outcome of the try under way, and not for longer than a person would.
    private func firstOutcome() async {
        callers += 1
        let caller = callers
        let limit = Task {
            try? await Task.sleep(for: DatabaseDoor.patience)
            self.leave(caller)
        }
        await withCheckedContinuation { waiting[caller] = $0 }
        limit.cancel()
    }

    private func leave(_ caller: UInt64) { waiting.removeValue(forKey: caller)?.resume() }
}
