// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Patience
import Synchronization

@testable import AuditTrail

/// A test's directory with an audit log.
final class Scratch: Sendable {
    private let folder: TemporaryFolder
    let clock = FakeClock()

    init() throws { folder = try TemporaryFolder.made() }

    var path: String { folder.path }

    func file(_ name: String = AuditFiles.name) -> String { "\(path)/\(name)" }

    func bytes(_ name: String = AuditFiles.name) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: file(name))))
    }

    func write(_ bytes: [UInt8], _ name: String = AuditFiles.name) throws {
        try Data(bytes).write(to: URL(filePath: file(name)))
    }

    func lines(_ name: String = AuditFiles.name) throws -> [String] {
        String(decoding: try bytes(name), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() } }

    /// The names of the audit log's files without the lock.
    var files: [String] { get throws { try names.filter { $0 != "audit.lock" } } }

    func verify(head: ChainHash? = nil) throws -> AuditVerifier {
        try AuditVerifier(of: AuditReader(in: path), head: head)
    }

    /// The readable entries, in order.
    func entries() throws -> [AuditEntry] {
        var entries: [AuditEntry] = []
        try AuditReader(in: path).read { line in
            if case .entry(let entry) = line.record?.content { entries.append(entry) }
        }
        return entries
    }

    /// Appends each entry after a new start.
    func append(_ people: String...) async {
        for person in people {
            let trail = trail()
            await trail.append(.login(person))
            await trail.close()
        }
    }

    func trail(
        length: Int? = nil, files: Int? = nil, repetition: Int64? = nil, disk: FakeDisk? = nil,
        complaints: Complaints = Complaints()
    ) -> AuditTrail {
        var limits = AuditTrail.Limits()
        if let repetition { limits.repetition = repetition }
        let clock = clock
        if let length { limits.length = length }
        if let files { limits.files = files }
        return AuditTrail(
            in: path, limits: limits, put: { disk?.put($0, $1) ?? RecordWriter.write($0, $1) },
            wallClock: { clock.next() },
            complain: { complaints.add($0) })
    }
}

/// A clock that advances a second each time it is read, or stands still.
final class FakeClock: Sendable {
    private let seconds = Mutex<Int64>(1_795_299_330)
    private let step: Int64

    init(step: Int64 = 1) { self.step = step }

    func next() -> Int64 {
        seconds.withLock { seconds in
            seconds += step
            return seconds
        }
    }

    func goOn(by value: Int64) { seconds.withLock { $0 += value } }

    func set(_ value: Int64) { seconds.withLock { $0 = value } }
}

/// A disk that is full after this many more bytes, until it gets room.
final class FakeDisk: Sendable {
    private let room: Mutex<Int>
    private let isHanging = Atomic(false)
    private let hung = Atomic(false)
    private let goesOn = DispatchSemaphore(value: 0)

    init(room: Int) { self.room = Mutex(room) }

    /// The first write hangs until `goOn()`, or until the test has long failed.
    static var hanging: FakeDisk {
        let disk = FakeDisk(room: .max)
        disk.isHanging.store(true, ordering: .relaxed)
        return disk
    }

    /// Whether a write is hanging.
    var hasHung: Bool { hung.load(ordering: .relaxed) }

    func goOn() { goesOn.signal() }

    func set(room value: Int) { room.withLock { $0 = value } }

    func put(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Int {
        if isHanging.exchange(false, ordering: .relaxed) {
            hung.store(true, ordering: .relaxed)
            _ = goesOn.wait(timeout: .now() + 120)
        }
        return room.withLock { room in
            guard room > 0 else { return -Int(ENOSPC) }
            let some = Array(bytes.prefix(room))
            let count = unsafe some.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
            room -= max(count, 0)
            return count
        }
    }
}

final class Complaints: Sendable {
    private let all = Mutex<[AuditFault?]>([])

    func add(_ fault: AuditFault?) { all.withLock { $0.append(fault) } }

    var list: [AuditFault?] { all.withLock { $0 } }
}

extension AuditEntry {
    static func login(_ who: String, _ outcome: String = "loggedIn") -> AuditEntry {
        AuditEntry(event: "login", outcome: outcome, service: "shop.example.com", who: who)
    }
}
