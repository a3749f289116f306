// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem

/// Writes the lines of the audit log to its files.
///
/// A line is one write at the end of the file (`O_APPEND`), which also works in an append-only file (`chattr +a`). A
/// line that a power failure or a full disk cut off stays, and the next line reports it. If the disk accepts nothing
/// the entries are lost and counted, and the next written line reports their number.
struct RecordWriter {
    /// An entry, and whether it is joined with equal ones of a minute.
    struct Wanted {
        let entry: AuditEntry
        let isRepeatable: Bool
    }

    /// Writes some of the bytes; returns their number, or the negative of an `errno`.
    typealias Put = @Sendable (_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Int

    /// The end of the current file, and the last line's number and hash.
    private struct End {
        let file: OpenFile
        var length: Int
        var number: UInt64
        var head: ChainHash
    }

    private(set) var progress = AuditTrail.Progress()

    private let files: AuditFiles
    private let limits: AuditTrail.Limits
    private let put: Put
    private let wallClock: @Sendable () -> Int64
    private var lock: OpenFile?
    private var end: End?
    /// The number of lost entries that no line reports yet.
    private var unreported = 0
    private var repeated: RepeatedEntries
    private var minuteIsTimed = false

    init(
        in directory: String, _ limits: AuditTrail.Limits, put: @escaping Put,
        wallClock: @escaping @Sendable () -> Int64
    ) {
        files = AuditFiles(directory: directory)
        self.limits = limits
        self.put = put
        self.wallClock = wallClock
        repeated = RepeatedEntries(period: limits.repetition)
    }

    mutating func open() {
        do throws(AuditFault) {
            try findEnd()
            progress.fault = nil
        } catch { fail(error) }
    }

    mutating func add(_ wanted: [Wanted]) {
        guard repeated.isWaiting || wanted.contains(where: \.isRepeatable) else { return write(wanted.map(\.entry)) }
        let now = wallClock()
        var entries = repeated.ended(at: now)
        for wanted in wanted where !wanted.isRepeatable || !repeated.joins(wanted.entry, at: now) {
            entries.append(wanted.entry)
        }
        write(entries)
    }

    mutating func close() {
        write(repeated.all())
        (end, lock) = (nil, nil)
    }

    /// Whether the caller must call ``minuteEnded()`` after a minute.
    mutating func mustTimeMinute() -> Bool {
        guard repeated.isWaiting, !minuteIsTimed else { return false }
        minuteIsTimed = true
        return true
    }

    mutating func minuteEnded() { minuteIsTimed = false }

    private mutating func write(_ entries: [AuditEntry]) {
        guard !entries.isEmpty else { return }
        var rest = entries.reduce(0) { $0 + $1.count }
        do throws(AuditFault) {
            try findEnd()
            if unreported > 0 {
                try writeLine(.missed(unreported))
                unreported = 0
            }
            for entry in entries {
                try writeLine(.entry(entry))
                rest -= entry.count
                progress.written += 1
            }
            try sync()
            progress.fault = nil
        } catch {
            unreported += rest
            progress.missed += UInt64(rest)
            fail(error)
        }
    }

    private mutating func fail(_ fault: AuditFault) {
        // The next line first looks for the end of a partly written one.
        end = nil
        progress.fault = fault
    }

    /// Writes a line, to a new file if the current one is full.
    private mutating func writeLine(_ content: AuditRecord.Content) throws(AuditFault) {
        try writeLine(content, at: AuditRecord.time(wallClock()), rotating: true)
    }

    private mutating func writeLine(
        _ content: AuditRecord.Content, at time: String, rotating: Bool = false
    ) throws(AuditFault) {
        guard let old = end else { return }
        var head = old.head
        let line = AuditRecord(number: old.number + 1, time: time, content).line(after: &head)
        if rotating, old.length + line.count > limits.length {
            try sync()
            try files.rotate(keeping: limits.files)
            try begin(after: (number: old.number, chain: old.head), at: time)
            return try writeLine(content, at: time)
        }
        try append(line)
        end?.number += 1
        end?.head = head
        (progress.number, progress.head) = (old.number + 1, head)
    }

    private mutating func append(_ bytes: [UInt8]) throws(AuditFault) {
        guard let file = end?.file else { return }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = put(file.descriptor, rest)
            guard count > 0 else { throw .unwritable(file.path, count == 0 ? EIO : Int32(-count)) }
            rest.removeFirst(count)
        }
        end?.length += bytes.count
    }

    private func sync() throws(AuditFault) {
        guard let file = end?.file else { return }
        guard fdatasync(file.descriptor) == 0 else { throw .unwritable(file.path, errno) }
    }

    static let write: Put = { descriptor, bytes in
        while true {
            // Safe: the slice is lent for the call.
            let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 { return count }
            if errno != EINTR { return -Int(errno) }
        }
    }

    // MARK: The place of the next line

    /// Finds the end of the audit log, and reports there what is left of a line that was cut off.
    private mutating func findEnd() throws(AuditFault) {
        guard end == nil else { return }
        if lock == nil { lock = try takeLock() }
        let time = AuditRecord.time(wallClock())
        do throws(FileFault) { try OwnedFile.check(files.current, followsLink: false) } catch {
            guard error.cause == .missing else { throw .file(error) }
            return try begin(after: earlierEnd(), at: time)
        }
        let file = try OpenFile(files.current, O_RDWR | O_APPEND, mode: 0)
        let tail = try AuditTail(of: files.current)
        // Longer than a line, and without one at its end: this is not an audit log, so a new one begins.
        guard tail.last != nil || tail.isWhole else {
            try files.rotate(keeping: limits.files)
            return try begin(after: nil, at: time)
        }
        let last = tail.last ?? earlierEnd()
        end = End(file: file, length: tail.length, number: last?.number ?? 0, head: last?.chain ?? .start)
        (progress.number, progress.head) = (last?.number, last?.chain)
        let newline: [UInt8] = tail.isCut ? [UInt8(ascii: "\n")] : []
        try append(newline)
        if tail.last == nil { try writeLine(.follows(last?.chain ?? .start), at: time) }
        if !tail.rest.isEmpty {
            let cut = tail.rest + newline
            try writeLine(.cut(cut.count, ChainHash.digest(cut)), at: time)
        }
        try sync()
    }

    private func takeLock() throws(AuditFault) -> OpenFile {
        do throws(FileFault) {
            try OwnedFile.makeDirectory(files.directory)
            try OwnedFile.check(files.directory, .unaltered, .directory)
        } catch { throw .file(error) }
        let lock = try OpenFile(files.lock, O_RDWR | O_CREAT, mode: 0o600)
        guard flock(lock.descriptor, LOCK_EX | LOCK_NB) == 0 else { throw .inUse(files.directory) }
        return lock
    }

    /// The last line before the current file.
    private func earlierEnd() -> AuditTail.Last? { try? AuditTail(of: files.earlier(1)).last }

    /// Begins a new file.
    ///
    /// - Parameter last: of the previous file; nil when no line of it could be read.
    private mutating func begin(after last: AuditTail.Last?, at time: String) throws(AuditFault) {
        let file = try OpenFile(files.current, O_RDWR | O_APPEND | O_CREAT | O_EXCL, mode: 0o640)
        end = End(file: file, length: 0, number: last?.number ?? 0, head: last?.chain ?? .start)
        try writeLine(.follows(last?.chain ?? .start), at: time)
        try sync()
        // Makes the name durable as well.
        if let directory = try? OpenFile(files.directory, O_RDONLY | O_DIRECTORY, mode: 0) {
            fsync(directory.descriptor)
        }
    }
}
