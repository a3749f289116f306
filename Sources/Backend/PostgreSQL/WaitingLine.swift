// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Callers that wait for their turn: the first to come is the first to go on.
struct WaitingLine<Turn: Sendable>: Sendable {
    typealias Caller = CheckedContinuation<Turn, Never>

    private var callers: [UInt64: Caller] = [:]
    /// Their numbers, the oldest first; also of those that have left.
    private var numbers: [UInt64] = []
    private var nextNumber: UInt64 = 0

    var count: Int { callers.count }
    var isEmpty: Bool { callers.isEmpty }

    /// - Returns: the caller's number.
    mutating func add(_ caller: Caller) -> UInt64 {
        if numbers.count > 2 * callers.count + 64 { numbers.removeAll { callers[$0] == nil } }
        defer { nextNumber += 1 }
        callers[nextNumber] = caller
        numbers.append(nextNumber)
        return nextNumber
    }

    /// - Returns: nil when its turn has come already.
    mutating func remove(_ number: UInt64) -> Caller? { callers.removeValue(forKey: number) }

    mutating func removeFirst() -> Caller? {
        while !numbers.isEmpty {
            if let caller = callers.removeValue(forKey: numbers.removeFirst()) { return caller }
        }
        return nil
    }

    mutating func removeAll() -> [Caller] {
        defer { (callers, numbers) = ([:], []) }
        return Array(callers.values)
    }
}

/// Callers that do something to the same thing, by a key for each thing: one after the other, each waits until a
/// deadline.
public final class KeyedTurns: Sendable {
    /// Number of callers that may wait for one thing.
    private static let longest = 1024

    private let limit: Duration
    /// Of things at which a caller is.
    private let lines = Mutex<[[UInt8]: WaitingLine<Bool>]>([:])

    /// - Parameter limit: how long a caller waits.
    public init(limit: Duration) { self.limit = limit }

    /// Waits for the caller's turn, which lasts until ``end(_:)``.
    /// - Throws: `DatabaseFault` `.busy`, `.late`; then there is no turn.
    public nonisolated(nonsending) func begin(_ key: [UInt8]) async throws(DatabaseFault) {
        let isTooMany = lines.withLock { lines in
            guard let line = lines[key] else {
                lines[key] = WaitingLine()
                return nil as Bool?
            }
            return line.count >= Self.longest
        }
        guard let isTooMany else { return }
        if isTooMany { throw DatabaseFault(.busy, "too many change the same entry at the same time") }
        var timer: UInt64?
        let isIn = await withCheckedContinuation { caller in
            let number = lines.withLock { lines -> UInt64? in
                // It may have become free meanwhile.
                guard lines[key] != nil else {
                    lines[key] = WaitingLine()
                    return nil
                }
                return lines[key]?.add(caller)
            }
            guard let number else {
                caller.resume(returning: true)
                return
            }
            timer = DescriptorWatch.shared.begin(until: .now + limit) { [self] _ in
                lines.withLock { $0[key]?.remove(number) }?.resume(returning: false)
            }
        }
        if let timer { _ = DescriptorWatch.shared.end(timer) }
        guard isIn else { throw DatabaseFault(.late, "others were changing the same entry for too long") }
    }

    public func end(_ key: [UInt8]) {
        let next = lines.withLock { lines -> WaitingLine<Bool>.Caller? in
            if let next = lines[key]?.removeFirst() { return next }
            lines[key] = nil
            return nil
        }
        next?.resume(returning: true)
    }
}
