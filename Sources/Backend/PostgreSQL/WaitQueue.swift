// SPDX-License-Identifier: Apache-2.0

/// A queue of waiting callers, first in, first out.
struct WaitQueue<Reply: Sendable>: Sendable {
    typealias Waiter = CheckedContinuation<Reply, Never>

    private var callers: [UInt64: Waiter] = [:]
    /// The callers' numbers, the oldest first, including those that were removed.
    private var numbers: [UInt64] = []
    private var nextNumber: UInt64 = 0

    var count: Int { callers.count }
    var isEmpty: Bool { callers.isEmpty }

    /// - Returns: the caller's number.
    mutating func add(_ caller: Waiter) -> UInt64 {
        if numbers.count > 2 * callers.count + 64 { numbers.removeAll { callers[$0] == nil } }
        defer { nextNumber += 1 }
        callers[nextNumber] = caller
        numbers.append(nextNumber)
        return nextNumber
    }

    /// - Returns: nil when the caller was already served.
    mutating func remove(_ number: UInt64) -> Waiter? { callers.removeValue(forKey: number) }

    mutating func removeFirst() -> Waiter? {
        while !numbers.isEmpty {
            if let caller = callers.removeValue(forKey: numbers.removeFirst()) { return caller }
        }
        return nil
    }

    mutating func removeAll() -> [Waiter] {
        defer { (callers, numbers) = ([:], []) }
        return Array(callers.values)
    }
}
