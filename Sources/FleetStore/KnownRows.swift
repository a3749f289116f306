// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import LoginValues
import PersonalCards
import Sealing

/// What this kiosk has seen of the database: its last change, and each row with its version. So a row or a whole
/// database that is older than what was there already is noticed, and people log in while the database is away.
struct KnownRows: Equatable {
    /// Nil for a row that this kiosk does not keep, or that does not open: its version alone counts.
    struct Mark: Equatable {
        var number: Int
        var version: Int
        var sealed: [UInt8]?
    }

    /// Which database it is of; empty before the first look.
    var history = ""
    /// The last change up to which all rows were looked at.
    var version = 0
    /// The last change that was heard of.
    private(set) var newest = 0
    var marks: [[UInt8]: Mark] = [:]

    init(history: String = "", version: Int = 0, marks: [[UInt8]: Mark] = [:]) {
        (self.history, self.version, self.marks) = (history, version, marks)
    }

    mutating func hear(of version: Int) { newest = max(newest, version) }

    /// Notes that nothing is there under a name, as of a change: an older row of it comes too late.
    mutating func noteAbsence(of name: [UInt8], at version: Int) {
        guard let mark = marks[name], mark.version <= version else { return }
        marks[name] = Mark(number: mark.number, version: version + 1, sealed: nil)
    }

    /// Whether the row takes the place of one that was changed or removed since.
    func isOutdated(_ row: IdentityRow) -> Bool {
        if let mark = marks[row.name] { return row.version < mark.version }
        return row.version <= version
    }
}

// As a file: sealed with the fleet's key,
//
//     history (36) | version (8, big endian) | newest (8) | for each row: name (32) | number (8) | version (8) | length
//     (4) | sealed
extension KnownRows {
    static let largestFile = 64 << 20
    /// As PostgreSQL writes a UUID.
    static let historyLength = 36
    private static let headLength = IdentityRow.nameLength + 20
    private static let context = Array("LOGIN-KIOSK-PEOPLE:1:".utf8)

    func encoded() -> [UInt8] {
        var bytes = Array(history.utf8) + KnownRows.bytes(version, 8) + KnownRows.bytes(newest, 8)
        for (name, mark) in marks.sorted(by: { $0.value.number < $1.value.number }) {
            let sealed = mark.sealed ?? []
            bytes += name + KnownRows.bytes(mark.number, 8) + KnownRows.bytes(mark.version, 8)
            bytes += KnownRows.bytes(sealed.count, 4) + sealed
        }
        return bytes
    }

    /// - Returns: nil for bytes that ``encoded()`` did not give.
    init?(_ bytes: some RandomAccessCollection<UInt8>) {
        var rest = Array(bytes)[...]
        func number(_ count: Int) -> Int? {
            guard rest.count >= count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return Int(exactly: rest.prefix(count).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
        }
        guard let history = String(validating: rest.prefix(KnownRows.historyLength), as: UTF8.self) else { return nil }
        rest = rest.dropFirst(KnownRows.historyLength)
        guard let version = number(8), let newest = number(8) else { return nil }
        (self.history, self.version, self.newest) = (history, version, newest)
        while !rest.isEmpty {
            guard rest.count >= KnownRows.headLength else { return nil }
            let name = Array(rest.prefix(IdentityRow.nameLength))
            rest = rest.dropFirst(IdentityRow.nameLength)
            guard let given = number(8), let version = number(8), let length = number(4), rest.count >= length,
                marks[name] == nil
            else { return nil }
            marks[name] = Mark(
                number: given, version: version, sealed: length == 0 ? nil : Array(rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
    }

    /// - Returns: nil where there is none.
    /// - Throws: for one that another key has sealed, a newer version wrote, or a medium damaged.
    static func load(_ path: String, _ fleet: FleetKey) throws(FileFault) -> KnownRows? {
        let bytes: [UInt8]
        do throws(FileFault) { bytes = try OwnedFile.read(path, .secret, upTo: largestFile) } catch {
            guard error.cause == .missing else { throw error }
            return nil
        }
        guard let plain = fleet.records.open(bytes[...], context: context),
            let rows = plain.withBytes({ plain in KnownRows(plain.indices.map { plain[$0] }) })
        else { throw FileFault(.refused(EBADMSG), path: path) }
        return rows
    }

    func save(_ path: String, _ fleet: FleetKey) throws(FileFault) {
        let plain = SecretBytes(copying: encoded())
        guard plain.count + AuthenticatedSeal.overhead <= KnownRows.largestFile,
            let sealed = fleet.records.seal(plain, context: KnownRows.context)
        else { throw FileFault(.tooLong(limit: KnownRows.largestFile), path: path) }
        try OwnedFile.replace(path, with: sealed, mode: 0o600)
    }

    private static func bytes(_ value: Int, _ count: Int) -> [UInt8] {
        stride(from: count * 8 - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
