// SPDX-License-Identifier: Apache-2.0

package import BackendValues

/// The open access numbers of an endpoint. A person types one instead of showing its code.
///
/// A number contains nothing, so each is stored. Few are open at a time: the fewer there are, the harder one
/// is guessed. Pages without a number show their picture alone.
package struct AccessNumbers: Sendable {
    private struct Number: Codable, Sendable {
        let accessCode: String
        /// The number's end if no device has read it.
        let changes: WallTime
        /// Its end after one has.
        let ends: WallTime
    }

    private let numbers: any VolatileTable<String, Number>
    private let guesses: GuessBudget

    init(at endpoint: String, in storage: any VolatileStorage) {
        numbers = storage.table(endpoint + "/access numbers", bounds: TableQuota(capacity: AccessNumber.capacity))
        guesses = GuessBudget(
            endpoint + "/wrong access numbers", perAddress: AccessNumber.guessesOfOneAddress,
            inTotal: AccessNumber.guessesInTotal, period: AccessNumber.guessPeriod, in: storage)
    }

    /// Makes a number for a code.
    /// - Parameters:
    ///   - expires: its end if no device has read it.
    ///   - end: its end after that.
    /// - Throws: `Refusal` 429 when the address has enough of them, 503 when there are enough in all; `StorageError`.
    package nonisolated(nonsending) func make(
        for accessCode: String, until expires: WallTime, keptUntil end: WallTime, now: WallTime
    ) async throws -> String {
        var generator = SystemRandomNumberGenerator()
        while true {
            let number = AccessNumber.random(using: &generator)
            // A number of another code is drawn again.
            if try await add(number, for: accessCode, until: expires, keptUntil: end, now: now) { return number }
        }
    }

    /// - Returns: false when the number is another code's.
    nonisolated(nonsending) func add(
        _ number: String, for accessCode: String, until expires: WallTime, keptUntil end: WallTime, now: WallTime
    ) async throws -> Bool {
        let new = Number(accessCode: accessCode, changes: expires, ends: end)
        return try await numbers.change(number, of: .currentNewcomer, now: now) { entry in
            guard entry == nil else { return false }
            entry = TableEntry(value: new, expires: expires)
            return true
        }
    }

    /// The code of a number. An address that has guessed too many numbers gets nil.
    nonisolated(nonsending) func accessCode(of number: String, now: WallTime) async throws(StorageError) -> String? {
        guard let guess = try await guesses.take(from: .current, now: now),
            let known = try await numbers.value(for: number, now: now)
        else { return nil }
        try await guesses.giveBack(guess, now: now)
        return known.accessCode
    }

    /// Keeps a number that a device has read. One that was declined ends as if no device had read it.
    nonisolated(nonsending) func keep(
        _ number: String, _ status: LoginStatus, now: WallTime
    ) async throws(StorageError) {
        try await numbers.change(number, now: now) { entry in
            guard let known = entry?.value else { return }
            entry?.expires = status == .declined ? known.changes : known.ends
        }
    }

    package nonisolated(nonsending) func remove(_ number: String, now: WallTime) async throws(StorageError) {
        try await numbers.take(number, now: now)
    }
}
