// SPDX-License-Identifier: Apache-2.0

/// A one-time code for one user.
package struct UserCode: TableKey {
    static let shortDigits = 6

    package let userID: String
    let code: String

    package init(userID: String, code: String) {
        self.userID = userID
        self.code = code
    }

    /// Whether the code is short enough to be guessed.
    var isShort: Bool { code.utf8.count <= Self.shortDigits }

    /// The query of the link that carries it. docs/protocol/miracl.md, section 3.
    package var query: String { FormFields.text([("user_id", userID), ("code", code)]) }

    /// The link, which a browser opens or a device scans.
    package func link(below projectURL: String) -> String { projectURL + "/verification/confirmation?" + query }

    /// A key without ambiguity: neither codes nor user ids contain a zero byte.
    package var bytes: [UInt8] { Array(userID.utf8) + [0] + Array(code.utf8) }
}

/// One-time codes of users. Long ones cannot be guessed. Wrong attempts at a short code are stored with it and expire
/// with it, so a stranger cannot use up the attempts of a user who has no code.
///
/// Attempts count by address, so that a stranger does not use up those of the person. All strangers together have few
/// enough attempts to make a guess of six digits worthless. The address that asked for the code has its own attempts
/// in any case.
struct UserCodes<Value: Codable & Sendable>: Sendable {
    static var triesOfOneAddress: Int { 5 }
    static var triesOfStrangers: Int { 100 }
    /// Short codes of one user at a time. Each needs a mail or a login, so few suffice.
    private static var shortCodes: Int { 4 }

    private struct ShortCode: Codable, Sendable {
        let code: String
        package let value: Value
        let expires: WallTime
        /// The address that asked for the code.
        let address: ClientAddress
        var tries: [ClientAddress: Int] = [:]

        package func admits(_ address: ClientAddress) -> Bool {
            guard tries[address, default: 0] < UserCodes.triesOfOneAddress else { return false }
            if address == self.address { return true }
            return tries.lazy.filter { $0.key != self.address }.map(\.value).reduce(0, +) < UserCodes.triesOfStrangers
        }
    }

    private let long: any VolatileTable<UserCode, Value>
    /// The name of the table with the short codes of each user.
    let shortName: String
    private let short: any VolatileTable<String, [ShortCode]>

    /// - Parameter name: the prefix of its tables' names.
    init(_ name: String, in storage: any VolatileStorage) {
        long = storage.table(name, bounds: .ofPeople)
        shortName = name + ", short"
        short = storage.table(shortName, bounds: .ofPeople)
    }

    /// - Parameter owner: the owner whose bounds count.
    /// - Throws: `Refusal` 429 and 503 when the owner has no room; `StorageError`.
    nonisolated(nonsending) func insert(
        _ value: Value, for code: UserCode, of owner: EntryOwner, expires: WallTime, now: WallTime
    ) async throws {
        guard code.isShort else {
            try await long.insert(value, for: code, of: owner, expires: expires, now: now)
            return
        }
        let all = try await short.value(for: code.userID, now: now) ?? []
        let known = all.filter { $0.expires > now && $0.code != code.code }
        let new = ShortCode(code: code.code, value: value, expires: expires, address: .current)
        let end = known.map(\.expires).reduce(expires) { max($0, $1) }
        try await short.insert(
            known.suffix(Self.shortCodes - 1) + [new], for: code.userID, of: owner, expires: end, now: now)
    }

    /// Returns the value behind `code`, once. A wrong short code counts as an attempt at every short code of that
    /// user.
    nonisolated(nonsending) func take(_ code: UserCode, now: WallTime) async throws(StorageError) -> Value? {
        guard code.isShort else { return try await long.take(code, now: now) }
        let address = ClientAddress.current
        return try await short.change(code.userID, now: now) { entry in
            guard var codes = entry?.value else { return nil }
            defer { entry?.value = codes }
            let place = codes.firstIndex { $0.code == code.code && $0.expires > now && $0.admits(address) }
            if let place { return codes.remove(at: place).value }
            for place in codes.indices where codes[place].admits(address) {
                codes[place].tries[address, default: 0] += 1
            }
            return nil
        }
    }
}
