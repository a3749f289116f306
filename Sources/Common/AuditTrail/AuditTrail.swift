// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import LinuxSystem
import Synchronization

/// Keeps the record: adds lines in order, and waits until they are on the disk.
///
/// A line is one write behind the end of the file (`O_APPEND`), which works in a file that may only grow, too
/// (`chattr +a`). What a power failure or a full disk cut off stays where it is, and the next line tells of it. When
/// the disk takes nothing the entries are lost and counted, and the first line that is written again says how many.
public final class AuditTrail: Sendable {
    public struct Limits: Sendable {
        /// Of a file, in bytes: some 35 000 entries.
        public var length = 8 << 20
        /// How many files there are, with the one that is written: 128 MiB together.
        public var files = 16
        /// Within which equal entries that may be are one, in seconds.
        var repetition: Int64 = 60

        public init() {}
    }

    /// How the record is.
    public struct Progress: Sendable, Equatable {
        /// Of the newest line; nil before the first.
        public fileprivate(set) var number: UInt64?
        /// The hash of the newest line, which is bound to all of them.
        public fileprivate(set) var head: ChainHash?
        /// How many entries were written since the start.
        public fileprivate(set) var written: UInt64 = 0
        /// How many entries could not be written since the start.
        public fileprivate(set) var missed: UInt64 = 0
        /// Why nothing can be written now.
        public fileprivate(set) var fault: AuditFault?
    }

    /// Where the next line goes.
    private struct Place {
        var file: OpenFile
        var length: Int
        var number: UInt64
        var head: ChainHash
    }

    /// An entry that is to have a line, or a part in one.
    private struct Wanted {
        let entry: AuditEntry
        let isRepeatable: Bool

        init(_ entry: AuditEntry, _ isRepeatable: Bool) { (self.entry, self.isRepeatable) = (entry, isRepeatable) }
    }

    private struct State {
        var progress = Progress()
        var place: Place?
        var lock: OpenFile?
        /// Entries that are missing and that no line tells of yet.
        var untold = 0
        var repeated: RepeatedEntries
        var endIsTimed = false
    }

    private let files: AuditFiles
    private let limits: Limits
    private let put: Put
    private let wallClock: @Sendable () -> Int64
    private let complain: @Sendable (AuditFault?) -> Void
    /// Of the queue alone.
    private let state: Mutex<State>
    private let shown = Mutex(Progress())
    /// Entries that wait for the disk, and no caller for them.
    private let late = Mutex<[Wanted]>([])
    private static let lateness = DispatchTimeInterval.milliseconds(50)
    /// More than come while a disk hangs for a minute.
    static let lateCapacity = 20_000
    /// A disk may be slow: writing waits here, and not on a thread that other tasks need.
    private let queue = DispatchQueue(label: "audit record")

    /// Writes some of the bytes: how many, or the negative of an `errno`.
    typealias Put = @Sendable (_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Int

    /// - Parameters:
    ///   - directory: made when it is missing, for this user alone; no other user but root may be able to change it.
    ///   - wallClock: seconds since 1970-01-01 UTC.
    ///   - complain: hears why nothing can be written, once for each reason, and nil when it can be again.
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

    /// As of the last entry; it waits for no disk.
    public var progress: Progress { shown.withLock { $0 } }

    /// Opens the file, or makes it, so that what is wrong with it is told before there is an entry.
    public func open() async { await perform { state throws(AuditFault) in try self.requirePlace(&state) } }

    /// Adds an entry. Without a place for it the entry is lost, and counted.
    ///
    /// - Parameter isRepeatable: whether equal ones of a minute, behind the first, are one line with their number: when
    ///   the minute is over, or the record is closed.
    public func append(_ entry: AuditEntry, isRepeatable: Bool = false) async {
        await perform { state throws(AuditFault) in try self.add([Wanted(entry, isRepeatable)], &state) }
    }

    /// Adds entries, and waits for the disk once: where they come faster than it turns.
    public func append(_ entries: [AuditEntry]) async {
        await perform { state throws(AuditFault) in try self.add(entries, &state) }
    }

    /// Adds an entry a moment later, and with it all that come until then, so that the disk turns once for them. The
    /// caller waits for nothing. What is appended otherwise comes behind it.
    ///
    /// - Parameter isRepeatable: as for ``append(_:isRepeatable:)``.
    /// - Returns: false when so many wait that the disk must hang: the entry is lost.
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
            defer { (state.place, state.lock) = (nil, nil) }
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

    // The rest is done on the queue.

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

    /// Where nothing else comes, the end of a minute writes its lines.
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

    /// Nothing that is to be written says nothing of the disk.
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
                // What was written in part is looked at anew before the next line.
                state.place = nil
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
            if let place = state.place { try sync(place.file) }
        } catch {
            state.untold += rest
            state.progress.missed += UInt64(rest)
            throw error
        }
    }

    private func add(_ content: AuditRecord.Content, _ state: inout State) throws(AuditFault) {
        guard var place = state.place else { return }
        let time = AuditRecord.time(wallClock())
        var head = place.head
        var line = AuditRecord(number: place.number + 1, time: time, content).line(after: &head)
        if place.length + line.count > limits.length {
            state.place = nil
            try sync(place.file)
            place = try begin(after: (place.number, place.head), time)
            state.place = place
            head = place.head
            line = AuditRecord(number: place.number + 1, time: time, content).line(after: &head)
        }
        try append(line, to: place.file)
        place.length += line.count
        place.number += 1
        place.head = head
        state.place = place
        state.progress.number = place.number
        state.progress.head = place.head
    }

    private func requirePlace(_ state: inout State) throws(AuditFault) {
        guard state.place == nil else { return }
        if state.lock == nil { state.lock = try takeLock() }
        let place = try findPlace()
        state.place = place
        state.progress.number = place.number
        state.progress.head = place.head
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

    /// Behind the newest line that can be read.
    private func findPlace() throws(AuditFault) -> Place {
        let time = AuditRecord.time(wallClock())
        guard isThere(files.current) else { return try begin(after: earlierEnd(), time, rotating: false) }
        do throws(FileFault) { try OwnedFile.judge(files.current, followsLink: false) } catch { throw .file(error) }
        let file = try OpenFile(files.current, O_RDWR | O_APPEND, mode: 0)
        let tail = try AuditTail(of: file)
        if let last = tail.last {
            var place = Place(file: file, length: tail.length, number: last.number, head: last.chain)
            if !tail.rest.isEmpty {
                try tellCut(tail, time, &place)
            } else if tail.isCut {
                try append([UInt8(ascii: "\n")], to: file)
                place.length += 1
            }
            return place
        }
        // Longer than a line, and without one at its end: this is no record, and the next one is begun anew.
        guard tail.isWhole else { return try begin(after: nil, time) }
        let before = earlierEnd()
        var place = Place(file: file, length: tail.length, number: before?.number ?? 0, head: before?.head ?? .start)
        if tail.rest.isEmpty {
            try addFirst(time, &place, behind: [])
        } else {
            try addFirst(time, &place, behind: tail.isCut ? [UInt8(ascii: "\n")] : [])
            try tellCut(tail, time, &place, isEnded: true)
        }
        return place
    }

    /// A link that leads to nothing is there, too.
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

    /// A new file.
    ///
    /// - Parameter end: of the file before it; nil when there is none that could be read.
    private func begin(
        after end: (number: UInt64, head: ChainHash)?, _ time: String, rotating: Bool = true
    ) throws(AuditFault) -> Place {
        if rotating { try files.rotate(keeping: limits.files) }
        let file = try OpenFile(files.current, O_RDWR | O_APPEND | O_CREAT | O_EXCL, mode: 0o640)
        var place = Place(file: file, length: 0, number: end?.number ?? 0, head: end?.head ?? .start)
        try addFirst(time, &place, behind: [])
        // The name is on the disk as well.
        if let directory = try? OpenFile(files.directory, O_RDONLY | O_DIRECTORY, mode: 0) {
            fsync(directory.descriptor)
        }
        return place
    }

    private func addFirst(_ time: String, _ place: inout Place, behind: [UInt8]) throws(AuditFault) {
        try add(AuditRecord(number: place.number + 1, time: time, .follows(place.head)), &place, behind: behind)
    }

    /// - Parameter isEnded: whether what was cut has got an end already.
    private func tellCut(
        _ tail: AuditTail, _ time: String, _ place: inout Place, isEnded: Bool = false
    ) throws(AuditFault) {
        let end: [UInt8] = tail.isCut ? [UInt8(ascii: "\n")] : []
        let cut = tail.rest + end
        try add(
            AuditRecord(number: place.number + 1, time: time, .cut(cut.count, ChainHash.digest(cut))), &place,
            behind: isEnded ? [] : end)
    }

    private func add(_ record: AuditRecord, _ place: inout Place, behind: [UInt8]) throws(AuditFault) {
        var head = place.head
        let bytes = behind + record.line(after: &head)
        try append(bytes, to: place.file)
        try sync(place.file)
        place.length += bytes.count
        place.number += 1
        place.head = head
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
