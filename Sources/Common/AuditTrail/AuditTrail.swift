// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import LinuxSystem
import Synchronization

/// Keeps the record: appends lines in order, and waits until they are on the disk.
///
/// A line is one write at the end of the file (`O_APPEND`), which also works in an append-only file (`chattr +a`). A
/// line that a power failure or a full disk cut off stays, and the next line reports it. If the disk accepts nothing
/// the entries are lost and counted, and the next written line reports their number.
public final class AuditTrail: Sendable {
    public struct Limits: Sendable {
        /// Of a file, in bytes: some 35 000 entries.
        public var length = 8 << 20
        /// The number of files including the current one: 128 MiB together.
        public var files = 16
        /// The time in seconds within which equal repeatable entries are joined.
        var repetition: Int64 = 60

        public init() {}
    }

    /// The state of the record.
    public struct Progress: Sendable, Equatable {
        /// The number of the newest line; nil before the first.
        public fileprivate(set) var number: UInt64?
        /// The hash of the newest line, which depends on all lines.
        public fileprivate(set) var head: ChainHash?
        /// The number of entries written since the start.
        public fileprivate(set) var written: UInt64 = 0
        /// The number of entries lost since the start.
        public fileprivate(set) var missed: UInt64 = 0
        /// Why nothing can be written now.
        public fileprivate(set) var fault: AuditFault?
    }

    /// The position of the next line.
    private struct Position {
        var file: OpenFile
        var length: Int
        var number: UInt64
        var head: ChainHash
    }

    /// An entry to be written, perhaps joined with equal ones.
    private struct Wanted {
        let entry: AuditEntry
        let isRepeatable: Bool

        init(_ entry: AuditEntry, _ isRepeatable: Bool) { (self.entry, self.isRepeatable) = (entry, isRepeatable) }
    }

    private struct State {
        var progress = Progress()
        var position: Position?
        var lock: OpenFile?
        /// The number of lost entries that no line reports yet.
        var untold = 0
        var repeated: RepeatedEntries
        var endIsTimed = false
    }

    private let files: AuditFiles
    private let limits: Limits
    private let put: Put
    private let wallClock: @Sendable () -> Int64
    private let complain: @Sendable (AuditFault?) -> Void
    /// Used on the queue only.
    private let state: Mutex<State>
    private let shown = Mutex(Progress())
    /// Entries that wait for the disk while no caller waits for them.
    private let late = Mutex<[Wanted]>([])
    private static let lateness = DispatchTimeInterval.milliseconds(50)
    /// More than can come while a disk hangs for a minute.
    static let lateCapacity = 20_000
    /// Writing may wait for a slow disk on this queue, not on a thread that other tasks need.
    private let queue = DispatchQueue(label: "audit record")

    /// Writes some of the bytes; returns their number, or the negative of an `errno`.
    typealias Put = @Sendable (_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Int

    /// - Parameters:
    ///   - directory: made when it is missing, for this user only; no other user but root may be able to change it.
    ///   - wallClock: seconds since 1970-01-01 UTC.
    ///   - complain: called with the reason why nothing can be written, once for each, and with nil when writing works
    ///     again.
    public convenience init(
        in directory: String, limits: Limits = Limits(), wallClock: @escaping @Sendable () -> Int64,
        complain: @escaping @Sendable (AuditFault?) -> Void
    ) {
        self.init(in: directory, limits: limits, put: AuditTrail.write, wallClock: wallClock, complain: complain)
    }

    init(
        in directory: String, limits: Limits, put: @escaping Put, wallClock: @escaping @Sendable () -> Int64,
        complain: @escaping @Sendable (AuditFault?) -> Void
    ) {
        files = AuditFiles(directory: directory)
        self.limits = limits
        state = Mutex(State(repeated: RepeatedEntries(period: limits.repetition)))
        self.put = put
        self.wallClock = wallClock
        self.complain = complain
    }

    /// The state after the last entry; waits for no disk.
    public var progress: Progress { shown.withLock { $0 } }

    /// Opens the file, or makes it, so that faults are reported before the first entry.
    public func open() async { await perform { state throws(AuditFault) in try self.requirePlace(&state) } }

    /// Appends an entry. If it cannot be written it is lost and counted.
    ///
    /// - Parameter isRepeatable: whether equal ones within a minute of the first are joined into one line with their
    ///   number, written when the minute is over or the record is closed.
    public func append(_ entry: AuditEntry, isRepeatable: Bool = false) async {
        await perform { state throws(AuditFault) in try self.add([Wanted(entry, isRepeatable)], &state) }
    }

    /// Appends entries and waits for the disk once, for entries that come faster than a disk writes.
    public func append(_ entries: [AuditEntry]) async {
        await perform { state throws(AuditFault) in try self.add(entries, &state) }
    }

    /// Appends an entry a moment later, together with all that come until then, so that the disk writes once for them.
    /// The caller does not wait. Other calls made meanwhile append after it.
    ///
    /// - Parameter isRepeatable: as for ``append(_:isRepeatable:)``.
    /// - Returns: false when so many entries wait that the disk must hang: the entry is lost.
    public func appendLater(_ entry: AuditEntry, isRepeatable: Bool = false) -> Bool {
        let place = late.withLock { late -> Int? in
            guard late.count < AuditTrail.lateCapacity else { return nil }
            late.append(Wanted(entry, isRepeatable))
            return late.count
        }
        if place == 1 { queue.asyncAfter(deadline: .now() + AuditTrail.lateness) { self.addLate() } }
        return place != nil
    }

    /// Lets another process, or another value of this type, keep the record.
    public func close() async {
        await perform { state throws(AuditFault) in
            defer { (state.position, state.lock) = (nil, nil) }
            let rest = state.repeated.all()
            if !rest.isEmpty { try self.add(rest, &state) }
        }
    }

    private func perform(_ work: @escaping @Sendable (inout State) throws(AuditFault) -> Void) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            queue.async {
                self.addLate()
                self.performNow(work)
                continuation.resume()
            }
        }
    }

    // The rest runs on the queue.

    private func addLate() {
        let entries = late.withLock { late in
            defer { late = [] }
            return late
        }
        guard !entries.isEmpty else { return }
        performNow { state throws(AuditFault) in try self.add(entries, &state) }
    }

    private func add(_ wanted: [Wanted], _ state: inout State) throws(AuditFault) {
        guard state.repeated.isWaiting || wanted.contains(where: \.isRepeatable) else {
            return try add(wanted.map(\.entry), &state)
        }
        let now = wallClock()
        var lines = state.repeated.ended(at: now)
        for wanted in wanted where !wanted.isRepeatable || !state.repeated.joins(wanted.entry, at: now) {
            lines.append(wanted.entry)
        }
        if state.repeated.isWaiting { timeEnd(&state) }
        try addAny(lines, &state)
    }

    /// Writes the lines of a minute at its end, if no entry comes before.
    private func timeEnd(_ state: inout State) {
        guard !state.endIsTimed else { return }
        state.endIsTimed = true
        queue.asyncAfter(deadline: .now() + .seconds(Int(limits.repetition))) { [weak self] in
            self?.performNow { state throws(AuditFault) in
                state.endIsTimed = false
                guard let self else { return }
                let lines = state.repeated.isWaiting ? state.repeated.ended(at: self.wallClock()) : []
                if state.repeated.isWaiting { self.timeEnd(&state) }
                try self.addAny(lines, &state)
            }
        }
    }

    /// Writes the lines. Without any, an earlier fault remains.
    private func addAny(_ lines: [AuditEntry], _ state: inout State) throws(AuditFault) {
        guard lines.isEmpty else { return try add(lines, &state) }
        if let fault = state.progress.fault { throw fault }
    }

    private func performNow(_ work: (inout State) throws(AuditFault) -> Void) {
        let news = state.withLock { state -> AuditFault?? in
            let former = state.progress.fault
            do throws(AuditFault) {
                try work(&state)
                state.progress.fault = nil
            } catch {
                // The next line first looks for the end of a partly written one.
                state.position = nil
                state.progress.fault = error
            }
            shown.withLock { $0 = state.progress }
            return state.progress.fault == former ? .none : .some(state.progress.fault)
        }
        if let news { complain(news) }
    }

    private func add(_ entries: [AuditEntry], _ state: inout State) throws(AuditFault) {
        var rest = entries.reduce(0) { $0 + $1.count }
        do throws(AuditFault) {
            try requirePlace(&state)
            if state.untold > 0 {
                try add(.missed(state.untold), &state)
                state.untold = 0
            }
            for entry in entries {
                try add(.entry(entry), &state)
                rest -= entry.count
                state.progress.written += 1
            }
            if let position = state.position { try sync(position.file) }
        } catch {
            state.untold += rest
            state.progress.missed += UInt64(rest)
            throw error
        }
    }

    private func add(_ content: AuditRecord.Content, _ state: inout State) throws(AuditFault) {
        guard var position = state.position else { return }
        let time = AuditRecord.time(wallClock())
        var head = position.head
        var line = AuditRecord(number: position.number + 1, time: time, content).line(after: &head)
        if position.length + line.count > limits.length {
            state.position = nil
            try sync(position.file)
            position = try begin(after: (position.number, position.head), time)
            state.position = position
            head = position.head
            line = AuditRecord(number: position.number + 1, time: time, content).line(after: &head)
        }
        try append(line, to: position.file)
        position.length += line.count
        position.number += 1
        position.head = head
        state.position = position
        state.progress.number = position.number
        state.progress.head = position.head
    }

    private func requirePlace(_ state: inout State) throws(AuditFault) {
        guard state.position == nil else { return }
        if state.lock == nil { state.lock = try takeLock() }
        let position = try findPosition()
        state.position = position
        state.progress.number = position.number
        state.progress.head = position.head
    }

    private func takeLock() throws(AuditFault) -> OpenFile {
        do throws(FileFault) {
            try OwnedFile.makeDirectory(files.directory)
            try OwnedFile.judge(files.directory, .unaltered, .directory)
        } catch { throw .file(error) }
        let lock = try OpenFile(files.lock, O_RDWR | O_CREAT, mode: 0o600)
        guard flock(lock.descriptor, LOCK_EX | LOCK_NB) == 0 else { throw .inUse(files.directory) }
        return lock
    }

    /// Finds the position after the newest readable line.
    private func findPosition() throws(AuditFault) -> Position {
        let time = AuditRecord.time(wallClock())
        guard isThere(files.current) else { return try begin(after: earlierEnd(), time, rotating: false) }
        do throws(FileFault) { try OwnedFile.judge(files.current, followsLink: false) } catch { throw .file(error) }
        let file = try OpenFile(files.current, O_RDWR | O_APPEND, mode: 0)
        let tail = try AuditTail(of: file)
        if let last = tail.last {
            var position = Position(file: file, length: tail.length, number: last.number, head: last.chain)
            if !tail.rest.isEmpty {
                try tellCut(tail, time, &position)
            } else if tail.isCut {
                try append([UInt8(ascii: "\n")], to: file)
                position.length += 1
            }
            return position
        }
        // Longer than a line, and without one at its end: this is no record, so a new one begins.
        guard tail.isWhole else { return try begin(after: nil, time) }
        let before = earlierEnd()
        var position = Position(
            file: file, length: tail.length, number: before?.number ?? 0, head: before?.head ?? .start)
        if tail.rest.isEmpty {
            try addFirst(time, &position, behind: [])
        } else {
            try addFirst(time, &position, behind: tail.isCut ? [UInt8(ascii: "\n")] : [])
            try tellCut(tail, time, &position, isEnded: true)
        }
        return position
    }

    /// Whether something of that name exists, even a dangling link.
    private func isThere(_ path: String) -> Bool {
        var status = stat()
        // Safe: path and structure are lent for the call.
        return unsafe lstat(path, &status) == 0
    }

    /// The number and the hash of the last line before the current file.
    private func earlierEnd() -> (number: UInt64, head: ChainHash)? {
        guard let file = try? OpenFile(files.earlier(1), O_RDONLY, mode: 0), let last = try? AuditTail(of: file).last
        else { return nil }
        return (last.number, last.chain)
    }

    /// Begins a new file.
    ///
    /// - Parameter end: of the previous file; nil when no line of it could be read.
    private func begin(
        after end: (number: UInt64, head: ChainHash)?, _ time: String, rotating: Bool = true
    ) throws(AuditFault) -> Position {
        if rotating { try files.rotate(keeping: limits.files) }
        let file = try OpenFile(files.current, O_RDWR | O_APPEND | O_CREAT | O_EXCL, mode: 0o640)
        var position = Position(file: file, length: 0, number: end?.number ?? 0, head: end?.head ?? .start)
        try addFirst(time, &position, behind: [])
        // Makes the name durable as well.
        if let directory = try? OpenFile(files.directory, O_RDONLY | O_DIRECTORY, mode: 0) {
            fsync(directory.descriptor)
        }
        return position
    }

    private func addFirst(_ time: String, _ position: inout Position, behind: [UInt8]) throws(AuditFault) {
        try add(
            AuditRecord(number: position.number + 1, time: time, .follows(position.head)), &position, behind: behind)
    }

    /// - Parameter isEnded: whether the cut line already has an end.
    private func tellCut(
        _ tail: AuditTail, _ time: String, _ position: inout Position, isEnded: Bool = false
    ) throws(AuditFault) {
        let end: [UInt8] = tail.isCut ? [UInt8(ascii: "\n")] : []
        let cut = tail.rest + end
        try add(
            AuditRecord(number: position.number + 1, time: time, .cut(cut.count, ChainHash.digest(cut))), &position,
            behind: isEnded ? [] : end)
    }

    private func add(_ record: AuditRecord, _ position: inout Position, behind: [UInt8]) throws(AuditFault) {
        var head = position.head
        let bytes = behind + record.line(after: &head)
        try append(bytes, to: position.file)
        try sync(position.file)
        position.length += bytes.count
        position.number += 1
        position.head = head
    }

    private func append(_ bytes: [UInt8], to file: OpenFile) throws(AuditFault) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = put(file.descriptor, rest)
            guard count > 0 else { throw .unwritable(file.path, count == 0 ? EIO : Int32(-count)) }
            rest.removeFirst(count)
        }
    }

    private func sync(_ file: OpenFile) throws(AuditFault) {
        guard fdatasync(file.descriptor) == 0 else { throw .unwritable(file.path, errno) }
    }

    private static let write: Put = { descriptor, bytes in
        while true {
            // Safe: the slice is lent for the call.
            let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 { return count }
            if errno != EINTR { return -Int(errno) }
        }
    }
}
