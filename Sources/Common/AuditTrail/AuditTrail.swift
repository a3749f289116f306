// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import Synchronization

/// Keeps the audit log: takes entries without delay, and writes them in order on a thread of its own. Entries that come
/// while the disk is busy are written together.
public final class AuditTrail: Sendable {
    public struct Limits: Sendable {
        /// The length of a file in bytes: some 35 000 entries.
        public var length = 8 << 20
        /// The number of files including the current one: 128 MiB together.
        public var files = 16
        /// The time in seconds within which equal repeatable entries are joined.
        var repetition: Int64 = 60

        public init() {}
    }

    /// The state of the audit log.
    public struct Progress: Sendable, Equatable {
        /// The number of the newest line; nil before the first.
        public internal(set) var number: UInt64?
        /// The hash of the newest line, which depends on all lines.
        public internal(set) var head: ChainHash?
        /// The number of entries written since the start.
        public internal(set) var written: UInt64 = 0
        /// The number of entries lost since the start.
        public internal(set) var missed: UInt64 = 0
        /// The reason why nothing can be written now.
        public internal(set) var fault: AuditFault?
    }

    private struct Shared {
        var waiting: [RecordWriter.Wanted] = []
        var progress = Progress()
    }

    /// Entries that wait for a slow disk: more than can come while it hangs for a minute.
    static let capacity = 20_000

    private let repetition: Int64
    private let complain: @Sendable (AuditFault?) -> Void
    private let shared = Mutex(Shared())
    private let (end, ending) = AsyncStream<Never>.makeStream()
    /// Used on the queue only.
    private let writer: Mutex<RecordWriter>
    /// Writing may wait for a slow disk on this queue, not on a thread that other tasks need.
    private let queue = DispatchQueue(label: "audit log")

    /// - Parameters:
    ///   - directory: made when it is missing, for this user only; no other user but root may be able to change it.
    ///   - complain: called with the reason why nothing can be written, once for each, and with nil when writing works
    ///     again.
    public convenience init(
        in directory: String, limits: Limits = Limits(), complain: @escaping @Sendable (AuditFault?) -> Void
    ) {
        self.init(in: directory, limits: limits, wallClock: { Int64(time(nil)) }, complain: complain)
    }

    /// - Parameter wallClock: seconds since 1970-01-01 UTC.
    init(
        in directory: String, limits: Limits, put: @escaping RecordWriter.Put = RecordWriter.write,
        wallClock: @escaping @Sendable () -> Int64, complain: @escaping @Sendable (AuditFault?) -> Void
    ) {
        writer = Mutex(RecordWriter(in: directory, limits, put: put, wallClock: wallClock))
        repetition = limits.repetition
        self.complain = complain
    }

    /// The state after the last written entry; waits for no disk.
    public var progress: Progress { shared.withLock { $0.progress } }

    /// Opens the file, or makes it, so that faults are reported before the first entry.
    public func open() async { await perform { $0.open() } }

    /// Appends an entry; the caller does not wait. If it cannot be written it is lost and counted.
    ///
    /// - Parameter isRepeatable: whether equal ones within a minute of the first are joined into one line with their
    ///   number, written when the minute is over or the audit log is closed.
    /// - Returns: false when so many entries wait that the disk must hang: the entry is lost.
    public func note(_ entry: AuditEntry, isRepeatable: Bool = false) -> Bool {
        let place = shared.withLock { shared -> Int? in
            guard shared.waiting.count < AuditTrail.capacity else { return nil }
            shared.waiting.append(RecordWriter.Wanted(entry: entry, isRepeatable: isRepeatable))
            return shared.waiting.count
        }
        if place == 1 { queue.async { self.use { _ in } } }
        return place != nil
    }

    /// Appends an entry as ``note(_:isRepeatable:)`` does, and waits until it is on the disk or lost.
    ///
    /// - Returns: false when so many entries wait that the disk must hang: the entry is lost.
    @discardableResult
    public func append(_ entry: AuditEntry, isRepeatable: Bool = false) async -> Bool {
        guard note(entry, isRepeatable: isRepeatable) else { return false }
        await perform { _ in }
        return true
    }

    /// Writes all, and lets another process, or another value of this type, keep the audit log.
    public func close() async { await perform { $0.close() } }

    /// Keeps the audit log open until ``finish()`` was called and all entries are on the disk.
    public func run() async {
        await open()
        for await _ in end {}
        await close()
    }

    public func finish() { ending.finish() }

    private func perform(_ work: @escaping @Sendable (inout RecordWriter) -> Void) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            queue.async {
                self.use(work)
                continuation.resume()
            }
        }
    }

    /// Writes the entries that wait, then does the work; runs on the queue.
    private func use(_ work: (inout RecordWriter) -> Void) {
        let entries = shared.withLock { shared in
            defer { shared.waiting = [] }
            return shared.waiting
        }
        let (former, progress, endsMinute) = writer.withLock { writer in
            let former = writer.progress.fault
            writer.add(entries)
            work(&writer)
            return (former, writer.progress, writer.mustTimeMinute())
        }
        shared.withLock { $0.progress = progress }
        if progress.fault != former { complain(progress.fault) }
        guard endsMinute else { return }
        // Writes the lines of a minute at its end, if no entry comes before.
        queue.asyncAfter(deadline: .now() + .seconds(Int(repetition))) { [weak self] in
            self?.use { $0.minuteEnded() }
        }
    }
}
