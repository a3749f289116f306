// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem

/// A note of the store's last change, kept outside the database. With it the store notices that an older or an empty
/// database was put in place.
///
/// The note is beside the key, out of reach of a process that may write only the database's directory. If the key is a
/// credential and its directory is not writable, the note is beside the database. Then the note reveals a replaced
/// database, but not a whole directory that was restored. A change is noted after it was committed, so the note is
/// never ahead of the database.
struct StoreCounter {
    static let capacity = 256

    struct Note: Equatable {
        var generation: Int
        var highest: Int
        var count: Int
    }

    private let beside: (key: String, database: String)

    init(of location: StoreLocation) {
        beside = (location.keyFile + ".counter", location.directory + "/identities.counter")
    }

    /// - Returns: the newest readable note; nil when there is none.
    func load() throws(StoreOpeningError) -> Note? {
        let notes = [try load(beside.key), try load(beside.database)].compactMap(\.self)
        return notes.max { $0.generation < $1.generation }
    }

    private func load(_ path: String) throws(StoreOpeningError) -> Note? {
        do throws(FileFault) {
            let file = try OwnedFile.open(path, .secret, followsLink: false)
            return StoreCounter.parse(try file.read(upTo: StoreCounter.capacity))
        } catch {
            switch error.cause {
            // This program never writes a longer note, so it is ignored like a damaged one.
            case .missing, .tooLong: return nil
            default: throw StoreOpeningError(error, "the counter")
            }
        }
    }

    /// Two equal lines, so that a damaged note is not believed: generation, highest number, number of identities.
    static func parse(_ bytes: some Collection<UInt8>) -> Note? {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 3, lines[0] == lines[1], lines[2].isEmpty else { return nil }
        let numbers = lines[0].split(separator: " ", omittingEmptySubsequences: false).compactMap { Int($0) }
        guard numbers.count == 3, numbers.allSatisfy({ (0..<StoreHeader.numberLimit).contains($0) }),
            lines[0] == "\(numbers[0]) \(numbers[1]) \(numbers[2])"
        else { return nil }
        return Note(generation: numbers[0], highest: numbers[1], count: numbers[2])
    }

    static func text(_ note: Note) -> String {
        let line = "\(note.generation) \(note.highest) \(note.count)\n"
        return line + line
    }

    /// Notes a committed change, atomically.
    func save(_ header: StoreHeader) throws(StoreOpeningError) {
        let text = StoreCounter.text(Note(header))
        let directory = PrivateDirectory.parent(of: beside.key)
        let isWritable = unsafe access(directory, W_OK) == 0
        try save(text, isWritable ? beside.key : beside.database)
    }

    private func save(_ text: String, _ path: String) throws(StoreOpeningError) {
        // A power cut leaves one name behind, which the next change takes.
        let unfinished = PrivateDirectory.name(of: path) + ".new"
        do throws(FileFault) {
            try OwnedFile.replace(path, with: Array(text.utf8).span, mode: 0o600, unfinished: unfinished)
        } catch { throw StoreOpeningError(error, "the counter") }
    }
}

extension StoreCounter.Note {
    init(_ header: StoreHeader) {
        self.init(generation: header.generation, highest: header.highest, count: header.count)
    }
}
