// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import GRDB
import MPinCrypto
import Patience
import Testing

@testable import BackendDatabases
@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// The contract of every storage for the operator's page.
@Suite struct OperatorStorageTests {
    private let now = WallTime(seconds: 1_000_000)
    private let state = TemporaryFolder()

    /// Those of one user at the same moment, too.
    private func fill(_ storage: any DurableStorage) async throws {
        let users = ["a%c", "abc", "abd", "b", "Abc", "\u{e9}a", "abc"]
        for (number, userID) in users.enumerated() {
            var identity = RegisteredIdentity(mpinID: MPinID([UInt8(number)]), userID: userID, registered: now)
            if userID == "abc" { identity.failures = RegisteredIdentity.maximumFailures }
            try await storage.add(identity)
        }
        for (number, userID) in [(20, "abc"), (21, "c"), (22, "c")] as [(UInt8, String)] {
            var registration = Registration(
                mpinID: MPinID([number]), userID: userID, mobile: 1, regOTT: try .random(), activateKey: "key",
                expires: now + .seconds(Int64(number)))
            registration.active = number == 22
            _ = try await storage.add(registration, now: now)
        }
        _ = try await storage.revoke(IdentitySelection(userID: "b"), now: now)
        let blocked = IdentitySelection(userID: "abc", fingerprint: MPinID([6]).fingerprint)
        _ = try await storage.revoke(blocked, now: now)
    }

    private func found(_ query: UserQuery, in storage: any OperatorStorage) async throws -> [UInt8] {
        let part = try await storage.users(query, now: now)
        return part.identities.map { $0.mpinID.bytes[0] } + part.registrations.map { $0.mpinID.bytes[0] }
    }

    @Test(arguments: StorageUnderTest.allCases) func findsUsers(_ kind: StorageUnderTest) async throws {
        let opened = try kind.open(in: state)
        let storage = opened.operators
        try await fill(opened.durable)
        func found(
            _ text: String, _ match: UserQuery.Match = .beginning, _ status: BackendUser.Status? = nil
        ) async throws -> [UInt8] {
            try await self.found(UserQuery(text: text, match: match, status: status, limit: 100), in: storage)
        }
        #expect(try await found("") == [4, 0, 1, 6, 2, 3, 5, 20, 21, 22])
        #expect(try await found("ab") == [1, 6, 2, 20])
        #expect(try await found("a%") == [0])
        #expect(try await found("a_") == [])
        #expect(try await found("%", .containing) == [0])
        #expect(try await found("b", .containing) == [4, 1, 6, 2, 3, 20])
        #expect(try await found("\u{e9}", .containing) == [5])
        #expect(try await found("\u{e9}") == [5])
        #expect(try await found("", .beginning, .registered) == [4, 0, 2, 5])
        // One that was revoked is not among the blocked ones.
        #expect(try await found("", .beginning, .blocked) == [1])
        #expect(try await found("abd", .beginning, .blocked) == [])
        #expect(try await found("", .containing, .revoked) == [6, 3])
        #expect(try await found("ab", .beginning, .revoked) == [6])
        #expect(try await found("", .beginning, .unconfirmed) == [20, 21])
        #expect(try await found("c", .containing, .confirmed) == [22])
        let counts = try await storage.userCounts(now: now)
        #expect(counts == UserCounts(identities: 7, blocked: 1, revoked: 2, unconfirmed: 2, confirmed: 1))
        #expect(counts[.registered] == 4 && counts.total == 10)
        let one = try await opened.durable.identities(
            IdentitySelection(userID: "abc", fingerprint: MPinID([6]).fingerprint))
        #expect(one.map(\.mpinID.bytes) == [[6]] && one.map(\.isRevoked) == [true])
        #expect(try await opened.durable.identities(IdentitySelection(userID: "nobody")).isEmpty)
    }

    /// Forwards and backwards every row comes once, whatever the size of a page.
    @Test(arguments: StorageUnderTest.allCases) func goesFromPageToPage(_ kind: StorageUnderTest) async throws {
        let opened = try kind.open(in: state)
        let storage = opened.operators
        try await fill(opened.durable)
        for (text, status) in [
            ("", nil), ("", .registered), ("", .blocked), ("", .revoked), ("ab", nil), ("abc", .revoked),
        ] as [(String, BackendUser.Status?)] {
            let all = try await storage.users(UserQuery(text: text, status: status, limit: 100), now: now).identities
            let places = all.map {
                UserPosition(userID: $0.userID, time: $0.registered, mpinID: $0.mpinID)
            }
            #expect(places == places.sorted())
            for (index, place) in places.enumerated() {
                let after = UserQuery(text: text, status: status, edge: .after(place), limit: 2)
                let before = UserQuery(text: text, status: status, edge: .before(place), limit: 2)
                let behind = try await storage.users(after, now: now).identities.map(\.mpinID)
                let ahead = try await storage.users(before, now: now).identities.map(\.mpinID)
                #expect(behind == places[(index + 1)...].prefix(2).map(\.mpinID))
                #expect(ahead == places[..<index].suffix(2).reversed().map(\.mpinID))
            }
        }
        // A place of another search leads to no row of it.
        let far = UserPosition(userID: "zzz", time: now, mpinID: MPinID([0]))
        let near = UserPosition(userID: "A", time: now, mpinID: MPinID([0]))
        for edge in [UserQuery.Edge.before(far), .after(near)] {
            let found = try await storage.users(UserQuery(text: "ab", edge: edge, limit: 100), now: now).identities
            #expect(found.map(\.mpinID.bytes[0]).sorted() == [1, 2, 6])
        }
    }

    @Test(arguments: StorageUnderTest.allCases) func addsUpLogins(_ kind: StorageUnderTest) async throws {
        let (first, second) = try kind.openTwice(in: state)
        let nothing = try await first.operators.activity(now: now)
        #expect(nothing.quarters.isEmpty)
        if kind != .postgreSQL { #expect(nothing.present == LoginActivity.number(at: now)) }
        let counts = LoginCounts(right: 5, wrongPIN: 3, blocked: 2, unknown: 1)
        let (now, storages) = (now, [first, second])
        _ = try await together(20) { try await storages[$0 % 2].operators.add(counts, now: now) }
        let activity = try await second.operators.activity(now: now)
        let sum = activity.quarters.values.reduce(LoginCounts(), +)
        #expect(sum == LoginCounts(right: 100, wrongPIN: 60, blocked: 40, unknown: 20))
        // They came in the present quarter, or a few of them just before it.
        #expect(activity.quarters.keys.allSatisfy { $0 == activity.present || $0 == activity.present - 1 })
    }

    /// By the clock of the process, which is the storage's.
    @Test func sqliteForgetsOldAndImpossibleQuarters() async throws {
        let storage = try BackendDatabase(state: StateDirectory(path: state.path))
        let one = LoginCounts(right: 1)
        let day = now + .seconds(24 * 3600)
        for time in [now + .seconds(90 * 86_400), now, day, now + .seconds(26 * 3600)] {
            try await storage.add(one, now: time)
        }
        let later = now + .seconds(26 * 3600)
        let kept = try await storage.read { try Int64.fetchAll($0, sql: "SELECT quarter FROM tally ORDER BY quarter") }
        #expect(kept == [LoginActivity.number(at: day), LoginActivity.number(at: later)])
        // A clock that is set back hides what was counted after it.
        #expect(try await storage.activity(now: now).quarters.isEmpty)
    }

    /// Opens a database that an older version has left.
    private func migrated(from version: String, _ sql: String) async throws -> BackendDatabase {
        let directory = try StateDirectory(path: state.path)
        let path = directory.file("backend.sqlite")
        try StateDirectory.create(path, content: [])
        let old = try DatabaseQueue(path: path)
        try BackendDatabase.migrator.migrate(old, upTo: version)
        try await old.write { try $0.execute(sql: sql) }
        try old.close()
        return try BackendDatabase(state: directory)
    }

    /// The data of three older tables is in one row of an identity.
    @Test func sqliteBringsTablesTogether() async throws {
        let storage = try await migrated(
            from: "personal cards",
            """
            INSERT INTO identity (mpinID, userID, registered, failures)
            VALUES (x'01', 'alice', 5, 1), (x'02', 'bob', 5, 1);
            INSERT INTO revocation VALUES (x'01', 7); INSERT INTO card VALUES (x'02', 8, 9)
            """)
        let identities = try await storage.identities(nil).sorted { $0.userID < $1.userID }
        #expect(identities.map(\.revoked) == [WallTime(milliseconds: 7), nil])
        let card = StoredCard(issued: WallTime(milliseconds: 8), ends: WallTime(milliseconds: 9))
        #expect(identities.map(\.card) == [nil, card] && identities.map(\.failures) == [1, 1])
    }

    @Test func sqliteIsMigrated() async throws {
        let storage = try await migrated(
            from: "server secret",
            """
            INSERT INTO identity (mpinID, userID, registered, failures, needsRenewal, verdicts)
            VALUES (x'01', 'alice', 5, 3, 0, 7)
            """)
        let identity = try #require(try await storage.identity(MPinID([1])))
        #expect(identity.userID == "alice" && identity.verdicts == 7 && identity.lastLogin == nil)
        let blocked = try await storage.users(UserQuery(status: .blocked, limit: 2), now: now)
        #expect(blocked.identities == [identity])
        // The index of blocked ones has the limit in its text.
        #expect(RegisteredIdentity.maximumFailures == 3)
    }
}
