// SPDX-License-Identifier: Apache-2.0

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
