// SPDX-License-Identifier: Apache-2.0

public import Logging
import LinuxSystem
import LoginValues
public import MPinClient
public import PersonalCards
public import PostgreSQL
import Sealing

/// Identities in a database that the kiosks of a fleet share: who enrolled at one logs in at the next.
///
/// A row that does not open is left out and told in the log; so is one that is older than what this kiosk has seen.
/// While the database is away the identities that were seen last are given out, unless that is switched off, and
/// nothing is saved.
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
    /// How many such answers are taken: no fleet has as many people.
    private static let batches = 400

    private let door: DatabaseDoor
    private let place: String
    private let fleet: FleetKey
    private let settings: Settings
    private let logger: Logger
    private var known: KnownRows
    /// Which database it is, since it was asked.
    private var history: String?
    /// Whether all rows were fetched since the program started; the file may lack some.
    private var isWhole = false
    /// Counts changes of what is known, for calls that were waiting meanwhile.
    private var knownChanges = 0
    /// Rows that do not open, with their versions: told once.
    private var refused: [[UInt8]: Int] = [:]

    /// Opens nothing yet.
    public init(at target: ServerTarget, _ fleet: FleetKey, _ settings: Settings, logger: Logger) {
        door = DatabaseDoor(target, schema: settings.schema, limit: settings.limit, logger)
        place = target.description
        self.fleet = fleet
        self.settings = settings
        self.logger = logger
        var known = KnownRows()
        do throws(FileFault) { known = try KnownRows.load(settings.file, fleet) ?? known } catch {
            logger.error(
                "what was seen of the shared identities is lost: older ones are not noticed",
                metadata: ["cause": "\(error)"])
        }
        if !settings.cachesIdentities, settings.keepsFile, known.marks.values.contains(where: { $0.sealed != nil }) {
            // The operator has switched it off.
            for name in known.marks.keys { known.marks[name]?.sealed = nil }
            try? known.save(settings.file, fleet)
        }
        self.known = known
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
                change { $0.noteAbsence(of: name, at: found.version) }
                return nil
            }
            guard let identity = found.identity else {
                change { $0.marks[name]?.sealed = nil }
                throw damaged(row, "does not open, or is older than what was there")
            }
            change { known in
                guard known.marks[name].map({ $0.version < row.version || $0.sealed == nil }) ?? true else { return }
                known.marks[name] = KnownRows.Mark(row)
            }
            return identity
        } catch {
            try requireCache(after: error)
            return known.marks[name].flatMap { $0.row(named: name)?.identity(fleet) }
        }
    }

    /// Takes over what has changed. What another call learned meanwhile stays: then this one looks again.
    private func update(from database: Database) async throws(DatabaseFault) {
        for _ in 0..<3 {
            let (before, changes, wasWhole) = (known, knownChanges, isWhole)
            var seen = before
            var bad: [[UInt8]: Int] = [:]
            let answer = try await fetch(from: database, all: !wasWhole, after: before)
            for row in answer.rows {
                if !before.isOutdated(row), row.identity(fleet) != nil {
                    seen.marks[row.name] = KnownRows.Mark(row)
                } else {
                    // Its version stays, so that no other row of before takes its place.
                    seen.marks[row.name]?.sealed = nil
                    bad[row.name] = row.version
                }
            }
            guard changes == knownChanges else { continue }
            if let names = answer.names { seen.marks = seen.marks.filter { names.contains($0.key) } }
            seen.version = answer.version
            seen.hear(of: answer.version)
            tell(wasWhole ? refused.merging(bad) { $1 } : bad)
            isWhole = true
            return change { $0 = seen }
        }
    }

    private struct Answer {
        /// The change as of which it is.
        var version = 0
        var rows: [IdentityRow] = []
        /// Of all rows that are there; nil when nothing has changed.
        var names: Set<[UInt8]>?
    }

    private func fetch(
        from database: Database, all: Bool, after before: KnownRows
    ) async throws(DatabaseFault) -> Answer {
        var answer = Answer()
        var since = all ? 0 : before.version
        for _ in 0..<Self.batches {
            let parts = try await database.transaction([
                Call(IdentityTables.book),
                Call(IdentityTables.changed, .integer(Int64(since)), .integer(Int64(Self.batch))),
                Call(IdentityTables.names, .integer(all ? -1 : Int64(before.version))),
            ])
            answer.version = try parts[0].count(0, 0)
            guard answer.version >= before.newest else { throw older(answer.version, before) }
            for number in 0..<parts[1].count { answer.rows.append(try IdentityRow(parts[1], number)) }
            since = answer.rows.last?.version ?? since
            guard parts[1].count < Self.batch else { continue }
            guard all || answer.version > before.version else { return answer }
            answer.names = []
            for number in 0..<parts[2].count { answer.names?.insert(try parts[2].bytes(number, 0)) }
            return answer
        }
        throw DatabaseFault(.unexpected, "the database has more than \(Self.batch * Self.batches) identities")
    }

    /// Tells of rows that do not open, when there are others than before.
    private func tell(_ bad: [[UInt8]: Int]) {
        guard bad != refused else { return }
        refused = bad
        guard !bad.isEmpty else { return }
        logger.error(
            "identities of the shared database do not open, or are older than what was there",
            metadata: ["count": "\(bad.count)", "hint": "docs/storage.md#shared-identities"])
    }

    private func change(_ body: (inout KnownRows) -> Void) {
        var changed = known
        body(&changed)
        guard changed != known else { return }
        known = changed
        knownChanges += 1
        keep()
    }

    /// Whether the database answers, and is the one that this kiosk knows.
    public func answers() async -> Bool {
        let seen = known
        let version = try? await askingDatabase { database throws(DatabaseFault) in
            try await database.run(Call(IdentityTables.book)).count(0, 0)
        }
        return version.map { $0 >= seen.newest } ?? false
    }

    // MARK: Changing

    public func prepareToSave() async throws(IdentityStorageError) {
        let seen = known
        let version = try await askingDatabase { database throws(DatabaseFault) in
            let answers = try await database.transaction([Call(IdentityTables.book), Call(IdentityTables.tryToSave)])
            return try answers[0].count(0, 0)
        }
        guard version >= seen.newest else { throw failure(older(version, seen)) }
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
                throw changedElsewhere
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

    public func remove(_ key: IdentityKey, version: Int?) async throws(IdentityStorageError) {
        let name = try name(of: key)
        for attempt in 0..<Self.attempts {
            if attempt > 0 { await Self.standBack(attempt) }
            let found = try await look(for: name)
            guard let row = found.row else { break }
            // Also of a row that does not open: a kiosk of a later version may have written it.
            if let version, row.version != version { throw changedElsewhere }
            let isRemoved = try await askingDatabase { database throws(DatabaseFault) in
                let call = Call(IdentityTables.remove, .integer(Int64(found.version)), .bytes(name))
                return try await database.run(call).integer(0, 0) == 1
            }
            guard isRemoved else { continue }
            return change { known in
                if known.version == found.version { known.version += 1 }
                known.noteAbsence(of: name, at: found.version)
                known.hear(of: found.version + 1)
            }
        }
        change { $0.noteAbsence(of: name, at: $0.newest) }
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
        guard found.version >= seen.newest else { throw failure(older(found.version, seen)) }
        return found
    }

    /// - Returns: false when another kiosk's change came first.
    private func put(_ row: IdentityRow, highest: Int, after version: Int) async throws(IdentityStorageError) -> Bool {
        let call = Call(
            IdentityTables.save, .integer(Int64(version)), .integer(Int64(highest)), .bytes(row.name),
            .integer(Int64(row.number)), .bytes(row.sealed))
        let database: Database
        do throws(DatabaseFault) { database = try await open() } catch { throw failure(error) }
        do throws(DatabaseFault) { return try await database.run(call).integer(0, 0) == 1 } catch {
            guard error.kind == .connectionLost || error.kind == .late else { throw failure(error) }
            // It may have happened. That it is not there yet says little: a commit may be waiting for a standby.
            if let found = try? await look(for: row.name), found.row == row { return true }
            throw IdentityStorageError(.outcomeUnknown, detail: failure(error).detail)
        }
    }

    private func note(_ row: IdentityRow, after version: Int) {
        change { known in
            if known.version == version { known.version = row.version }
            known.hear(of: row.version)
            known.marks[row.name] = KnownRows.Mark(row)
        }
    }

    // MARK: What this kiosk has seen

    /// Takes the database as it is, because the operator restored it, or put another one in its place.
    public func acceptRestored() {
        isWhole = false
        change { $0 = KnownRows() }
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

    private var changedElsewhere: IdentityStorageError {
        IdentityStorageError(
            .changedElsewhere, detail: "\(place): another kiosk has changed or removed the identity meanwhile")
    }

    private func name(of key: IdentityKey) throws(IdentityStorageError) -> [UInt8] {
        guard let name = IdentityRow.name(of: key, fleet) else {
            throw IdentityStorageError(.unavailable, detail: "the identity cannot be named")
        }
        return name
    }

    private func askingDatabase<Result: Sendable>(
        _ work: @Sendable (Database) async throws(DatabaseFault) -> Result
    ) async throws(IdentityStorageError) -> Result {
        do throws(DatabaseFault) { return try await work(try await open()) } catch { throw failure(error) }
    }

    /// The database, which is the one that this kiosk knows, and this fleet's.
    private func open() async throws(DatabaseFault) -> Database {
        let database = try await door.open()
        if history == nil { history = try await whose(database) }
        guard known.history.isEmpty || known.history == history else {
            throw DatabaseFault(
                .unexpected, "it is another database than the one that this kiosk knows",
                hint: "if that is on purpose: login-kiosk identities accept-restored")
        }
        if let history, known.history.isEmpty { change { $0.history = history } }
        return database
    }

    /// - Returns: which database it is.
    private func whose(_ database: Database) async throws(DatabaseFault) -> String {
        guard let key = fleet.names.derivedKey(for: "fleet") else { throw DatabaseFault(.unexpected, "out of memory") }
        let mark = key.withBytes { key in key.indices.map { key[$0] } }
        var found = try await database.run(Call(IdentityTables.whose))
        if found.bytesIfAny(0, 1) == nil {
            try await database.run(Call(IdentityTables.claim, .bytes(mark)))
            found = try await database.run(Call(IdentityTables.whose))
        }
        guard try found.bytes(0, 1) == mark else {
            throw DatabaseFault(
                .unexpected, "the identities in it are sealed with another fleet's key",
                hint: "give this kiosk the key that the others have: fleet.key-file")
        }
        let history = try found.text(0, 0)
        guard history.utf8.count == KnownRows.historyLength else {
            throw DatabaseFault(.unexpected, "the database's book is damaged")
        }
        return history
    }

    private func failure(_ fault: DatabaseFault) -> IdentityStorageError {
        let isFull = fault.kind == .refused(sqlState: "53100")
        let hint = fault.hint.map { ": \($0)" } ?? ""
        let prefix = fault.problem.contains(place) ? "" : "\(place): "
        return IdentityStorageError(isFull ? .full : .unavailable, detail: "\(prefix)\(fault.problem)\(hint)")
    }

    private func older(_ version: Int, _ seen: KnownRows) -> DatabaseFault {
        DatabaseFault(
            .unexpected,
            "the database is older than what this kiosk has seen of it (change \(version), \(seen.newest))",
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
        number = try rows.count(0, 0)
        version = try rows.count(0, 1)
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
