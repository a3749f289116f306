// SPDX-License-Identifier: Apache-2.0

import BackendValues
import Encoding
import Sealing

/// A one-time code for one user.
package struct UserCode: TableKey {
    /// Digits of a mailed code, the longest that can be guessed.
    static let shortDigits = 8

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

extension String {
    /// A code of random decimal digits, for a person to type.
    static func randomDigits(_ count: Int) -> String {
        (0..<count).map { _ in String(Int.random(in: 0...9)) }.joined()
    }
}

/// One-time codes of users. Long ones cannot be guessed. Wrong attempts at a short code are stored with it and expire
/// with it, so a stranger cannot use up the attempts of a user who has no code. A short code may have a long one beside
/// it, for a link: whichever is used first uses up both.
///
/// Attempts count by address, so that a stranger does not use up those of the person. All strangers together have few
/// enough attempts to make a guess worthless. The address that asked for the code has its own attempts in any case.
struct UserCodes<Value: Codable & Sendable>: Sendable {
    private static var triesOfOneAddress: Int { 5 }
    private static var triesOfStrangers: Int { 100 }
    /// Short codes of one user at a time: more than mails go to one user within an hour (``MailBackoff``). A stranger
    /// who asks for mails at the user's address ends none of them.
    private static var shortCodesOfOneUser: Int { 12 }

    private struct ShortCode: Codable, Sendable {
        let code: String
        /// The SHA-256 digest of the long code beside it.
        let link: [UInt8]?
        let value: Value
        let expires: WallTime
        /// The address that asked for the code.
        let address: ClientAddress
        var tries: [ClientAddress: Int] = [:]

        func admits(_ address: ClientAddress) -> Bool {
            guard tries[address, default: 0] < UserCodes.triesOfOneAddress else { return false }
            if address == self.address { return true }
            return tries.lazy.filter { $0.key != self.address }.map(\.value).reduce(0, +) < UserCodes.triesOfStrangers
        }
    }

    private let long: any VolatileTable<UserCode, Value>
    /// The short codes of each user.
    private let short: any VolatileTable<String, [ShortCode]>

    /// - Parameter name: the prefix of its tables' names.
    init(_ name: String, in storage: any VolatileStorage) {
        long = storage.table(name, bounds: .ofPeople)
        short = storage.table(name + ", short", bounds: .ofPeople)
    }

    var shortCodes: any VolatileTable { short }

    /// - Parameters:
    ///   - link: a long code beside a short one.
    ///   - owner: the owner whose bounds count.
    /// - Throws: `Refusal` 429 and 503 when the owner has no room; `StorageError`.
    nonisolated(nonsending) func insert(
        _ value: Value, for code: UserCode, link: String? = nil, of owner: EntryOwner, expires: WallTime,
        now: WallTime
    ) async throws {
        guard code.isShort else {
            try await long.insert(value, for: code, of: owner, expires: expires, now: now)
            return
        }
        let new = ShortCode(
            code: code.code, link: link.map(Self.digest), value: value, expires: expires, address: .current)
        try await short.change(code.userID, of: owner, now: now) { entry in
            let known = (entry?.value ?? []).filter { $0.expires > now && $0.code != new.code }
            let end = known.map(\.expires).reduce(expires) { max($0, $1) }
            entry = TableEntry(value: known.suffix(Self.shortCodesOfOneUser - 1) + [new], expires: end, owner: owner)
        }
    }

    private static func digest(_ link: String) -> [UInt8] { Digest.sha256(Array(link.utf8)) }

    /// The short code beside a long one, as long as both can be used.
    nonisolated(nonsending) func shortCode(
        beside link: UserCode, now: WallTime
    ) async throws(StorageError) -> String? {
        let digest = Self.digest(link.code)
        return try await short.value(for: link.userID, now: now)?.first { $0.link == digest && $0.expires > now }?.code
    }

    /// Whether a long code can be used that has no short one.
    nonisolated(nonsending) func hasLong(_ code: UserCode, now: WallTime) async throws(StorageError) -> Bool {
        try await long.value(for: code, now: now) != nil
    }

    /// Returns the value behind `code`, once. A wrong short code counts as an attempt at every short code of that
    /// user.
    nonisolated(nonsending) func take(_ code: UserCode, now: WallTime) async throws(StorageError) -> Value? {
        guard code.isShort else {
            if let value = try await long.take(code, now: now) { return value }
            let digest = Self.digest(code.code)
            return try await short.change(code.userID, now: now) { entry in
                let place = entry?.value.firstIndex { $0.link == digest && $0.expires > now }
                return place.flatMap { entry?.value.remove(at: $0).value }
            }
        }
        let address = ClientAddress.current
        return try await short.change(code.userID, now: now) { entry in
            guard var codes = entry?.value else { return nil }
            defer { entry?.value = codes }
            let place = codes.firstIndex { $0.code == code.code && $0.expires > now && $0.admits(address) }
            if let place { return codes.remove(at: place).value }
            for index in codes.indices where codes[index].admits(address) {
                codes[index].tries[address, default: 0] += 1
            }
            return nil
        }
    }
}
