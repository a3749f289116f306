// SPDX-License-Identifier: Apache-2.0

public import Logging
import LoginValues
public import MPinClient
public import PersonalCards
public import PostgreSQL

/// Identities in a database that the kiosks of a fleet share: who enrolled at one logs in at the next.
///
/// A row that does not open is left out and told in the log; so is one that is older than what this kiosk has seen. While the
/// database is away the identities that were seen last are given out, unless that is switched off, and nothing is saved.
public actor FleetIdentityStorage: IdentityStorage {
    public struct Settings: Sendable {
        /// Where this kiosk keeps what it has seen, in a directory of its own.
        public var file: String
        /// Whether identities are given out while the database is away.
        public var cachesIdentities: Bool
        /// Whether the file is written. Not by a command beside the kiosk that does.
        public var keepsFile: Bool
        /// Where the tables are: lower-case letters, digits and underscores.
        public var schema: String
        /// How long a call to the database may take in all.
        public var limit: Duration

        public init(
            file: String, cachesIdentities: Bool = true, keepsFile: Bool = true, schema: String = "login_kiosk_people",
            limit: Duration = .seconds(3)
        ) {
            self.file = file
            self.cachesIdentities = cachesIdentities
            self.keepsFile = keepsFile
            self.schema = schema
            self.limit = limit
        }
    }

    public nonisolated let isShared = true

    /// As often a change is begun again because another kiosk's came first.
    private static let attempts = 50
    /// How many rows are asked for at once.
    private static let batch = 500

    private let door: DatabaseDoor
    private let place: String
    private let fleet: FleetKey
    private let settings: Settings
    private let logger: Logger
    private var known: KnownRows
    /// Whether all rows were fetched since the program started; the file may lack some.
    private var isWhole = false

    /// Opens nothing yet.
    public init(at target: ServerTarget, _ fleet: FleetKey, _ settings: Settings, logger: Logger) {
        door = DatabaseDoor(target, schema: settings.schema, limit: settings.limit, logger)
        place = target.description
        self.fleet = fleet
        self.settings = settings
        self.logger = logger
        known = KnownRows.load(settings.file, fleet) ?? KnownRows()
    }

    // MARK: Looking

    public func identities() async throws(IdentityStorageError) -> [StoredIdentity] {
        do throws(IdentityStorageError) {
            try await askingDatabase { database throws(DatabaseFault) in try await self.update(from: database) }
        } catch {
            try requireCache(after: error)
        }
        return known.marks.sorted { $0.value.number < $1.value.number }.compactMap { name, mark in
            mark.row(named: name)?.identity(fleet)
        }
    }

    public func identity(_ key: IdentityKey) async throws(IdentityStorageError) -> StoredIdentity? {
        let name = try name(of: key)
        do throws(IdentityStorageError) {
            let found = try await look(for: name)
            guard let row = found.row else {
                if known.marks.removeValue(forKey: name) != nil { keep() }
                return nil
            }
            guard let identity = found.identity else {
                known.marks[name]?.sealed = nil
                isWhole = false
                throw damaged(row, "does not open, or is older than what was there")
            }
            if known.marks[name]?.version ?? 0 < row.version || known.marks[name]?.sealed == nil {
                known.marks[name] = KnownRows.Mark(row)
                keep()
            }
            return identity
        } catch {
            try requireCache(after: error)
            return known.marks[name].flatMap { $0.row(named: name)?.identity(fleet) }
        }
    }

    /// Takes over what has changed.
    private func update(from database: Database) async throws(DatabaseFault) {
        let before = known
        var seen = before
        var since = isWhole ? seen.version : 0
        var isWholeNow = true
        while true {
            let answers = try await database.transaction([
                Call(IdentityTables.book),
                Call(IdentityTables.changed, .integer(Int64(since)), .integer(Int64(Self.batch))),
                Call(IdentityTables.names, .integer(isWhole ? Int64(before.version) : -1)),
            ])
            let version = Int(try answers[0].integer(0, 0))
            guard version >= before.version else { throw older(version) }
            for number in 0..<answers[1].count {
                let row = try IdentityRow(answers[1], number)
                since = row.version
                guard before.isOutdated(row) == false, row.identity(fleet) != nil else {
                    logger.error(
                        "an identity of the shared database does not open, or is older than what was there",
                        metadata: ["number": "\(row.number)", "version": "\(row.version)"])
                    // Its version stays, so that no other row of before takes its place. It is looked at each time, for
                    // the operator may bring the right one back.
                    seen.marks[row.name]?.sealed = nil
                    isWholeNow = false
                    continue
                }
                seen.marks[row.name] = KnownRows.Mark(row)
            }
            guard answers[1].count < Self.batch else { continue }
            if version > before.version || !isWhole {
                let names = Set(
                    try (0..<answers[2].count).map { row throws(DatabaseFault) in try answers[2].bytes(row, 0) })
                seen.marks = seen.marks.filter { names.contains($0.key) }
            }
            seen.version = version
            break
        }
        // Another call may have seen more meanwhile.
        guard seen.version >= known.version else { return }
        isWhole = isWholeNow
        guard seen != known else { return }
        known = seen
        keep()
    }

    // MARK: Changing

    public func prepareToSave() async throws(IdentityStorageError) {
        let seen = known.version
        let version = try await askingDatabase { database throws(DatabaseFault) in
            let answers = try await database.transaction([Call(IdentityTables.book), Call(IdentityTables.tryToSave)])
            return Int(try answers[0].integer(0, 0))
        }
        guard version >= seen else { throw failure(older(version)) }
    }

    @discardableResult
    public func save(_ identity: StoredIdentity) async throws(IdentityStorageError) -> Int {
        guard identity.record.count <= StoredIdentity.maximumRecordLength else {
            throw IdentityStorageError(
                .recordTooLong,
                detail: "the record has \(identity.record.count) bytes, at most "
                    + "\(StoredIdentity.maximumRecordLength) are stored")
        }
        let name = try name(of: identity.key)
        for attempt in 0..<Self.attempts {
            if attempt > 0 { await Self.standBack(attempt) }
            let found = try await look(for: name)
            guard (found.identity?.version ?? 0) == identity.version else {
                throw IdentityStorageError(
                    .changedElsewhere, detail: "\(place): another kiosk has changed or removed the identity meanwhile")
            }
            // Of a row that does not open nothing is believed, its number neither.
            let number = found.identity?.number ?? found.number + 1
            guard let row = IdentityRow(identity, name: name, number: number, version: found.version + 1, fleet) else {
                throw IdentityStorageError(.unavailable, detail: "the identity cannot be sealed")
            }
            guard try await put(row, highest: max(found.number, number), after: found.version) else { continue }
            note(row, after: found.version)
            return number
        }
        throw tooBusy
    }

    public func remove(_ key: IdentityKey) async throws(IdentityStorageError) {
        let name = try name(of: key)
        for attempt in 0..<Self.attempts {
            if attempt > 0 { await Self.standBack(attempt) }
            let found = try await look(for: name)
            guard found.row != nil else { break }
            let isRemoved = try await askingDatabase { database throws(DatabaseFault) in
                let call = Call(IdentityTables.remove, .integer(Int64(found.version)), .bytes(name))
                return try await database.run(call).integer(0, 0) == 1
            }
            guard isRemoved else { continue }
            if known.version == found.version { known.version += 1 }
            break
        }
        known.marks[name] = nil
        keep()
    }

    /// Those that were in each other's way do not meet again at the same moment.
    private static func standBack(_ attempt: Int) async {
        try? await Task.sleep(for: .microseconds(Int.random(in: 0...1000 * min(attempt, 30))))
    }

    private func look(for name: [UInt8]) async throws(IdentityStorageError) -> Found {
        // An answer is judged by what was known when it was asked for: another call may know more by now.
        let seen = known
        let found = try await askingDatabase { database throws(DatabaseFault) in
            try Found(try await database.run(Call(IdentityTables.one, .bytes(name))), seen, self.fleet)
        }
        guard found.version >= seen.version else { throw failure(older(found.version)) }
        return found
    }

    /// - Returns: false when another kiosk's change came first.
    private func put(_ row: IdentityRow, highest: Int, after version: Int) async throws(IdentityStorageError) -> Bool {
        let call = Call(
            IdentityTables.save, .integer(Int64(version)), .integer(Int64(highest)), .bytes(row.name),
            .integer(Int64(row.number)), .bytes(row.sealed))
        do throws(IdentityStorageError) {
            return try await askingDatabase { database throws(DatabaseFault) in
                try await database.run(call).integer(0, 0) == 1
            }
        } catch {
            // The connection may have ended after the change had happened.
            guard error.code == .unavailable, let found = try? await look(for: row.name), found.row == row else {
                throw error
            }
            return true
        }
    }

    private func note(_ row: IdentityRow, after version: Int) {
        if known.version == version { known.version = row.version }
        known.marks[row.name] = KnownRows.Mark(row)
        keep()
    }

    // MARK: What this kiosk has seen

    /// Takes the database as it is, because the operator restored it.
    public func acceptRestored() {
        known = KnownRows()
        isWhole = false
        keep()
    }

    private func keep() {
        guard settings.keepsFile else { return }
        var kept = known
        if !settings.cachesIdentities { for name in kept.marks.keys { kept.marks[name]?.sealed = nil } }
        do { try kept.save(settings.file, fleet) } catch {
            logger.error("what was seen of the shared database cannot be kept", metadata: ["cause": "\(error)"])
        }
    }

    private func requireCache(after error: IdentityStorageError) throws(IdentityStorageError) {
        guard settings.cachesIdentities, error.code == .unavailable else { throw error }
        logger.warning("the identities that were seen last are used", metadata: ["cause": "\(error.detail)"])
    }

    // MARK: Failures

    private func name(of key: IdentityKey) throws(IdentityStorageError) -> [UInt8] {
        guard let name = IdentityRow.name(of: key, fleet) else {
            throw IdentityStorageError(.unavailable, detail: "the identity cannot be named")
        }
        return name
    }

    private func askingDatabase<Result: Sendable>(
        _ work: @Sendable (Database) async throws(DatabaseFault) -> Result
    ) async throws(IdentityStorageError) -> Result {
        do throws(DatabaseFault) { return try await work(try await door.open()) } catch { throw failure(error) }
    }

    private func failure(_ fault: DatabaseFault) -> IdentityStorageError {
        let isFull = fault.kind == .refused(sqlState: "53100")
        let hint = fault.hint.map { ": \($0)" } ?? ""
        return IdentityStorageError(isFull ? .full : .unavailable, detail: "\(place): \(fault.problem)\(hint)")
    }

    private func older(_ version: Int) -> DatabaseFault {
        DatabaseFault(
            .unexpected,
            "the database is older than what this kiosk has seen of it (change \(version), \(known.version))",
            hint: "if you restored it on purpose: login-kiosk identities accept-restored")
    }

    private func damaged(_ row: IdentityRow, _ how: String) -> IdentityStorageError {
        IdentityStorageError(.damaged, detail: "\(place): the identity with the number \(row.number) \(how)")
    }

    private var tooBusy: IdentityStorageError {
        IdentityStorageError(.unavailable, detail: "\(place): other kiosks were faster \(Self.attempts) times")
    }
}

/// The book, and the row that was asked for.
private struct Found: Sendable {
    let number: Int
    let version: Int
    let row: IdentityRow?
    /// Nil also for a row that does not open, or is older than what was there.
    let identity: StoredIdentity?

    init(_ rows: Rows, _ seen: KnownRows, _ fleet: FleetKey) throws(DatabaseFault) {
        number = Int(try rows.integer(0, 0))
        version = Int(try rows.integer(0, 1))
        row = rows.bytesIfAny(0, 2) == nil ? nil : try IdentityRow(rows, 0, from: 2)
        identity = row.flatMap { seen.isOutdated($0) ? nil : $0.identity(fleet) }
    }
}

extension KnownRows.Mark {
    fileprivate init(_ row: IdentityRow) {
        self.init(number: row.number, version: row.version, sealed: row.sealed)
    }

    fileprivate func row(named name: [UInt8]) -> IdentityRow? {
        sealed.map { IdentityRow(name: name, number: number, version: version, sealed: $0) }
    }
}
