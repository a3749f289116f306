// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskTestKit
import LinuxSystem
import LoginValues
import MPinClient
import PersonalCards
import PostgreSQL
import PostgreSQLTestKit
import Testing

@testable import FleetStore

@Suite(.disabled(if: !PostgreSQLServer.isInstalled, Comment(rawValue: PostgreSQLServer.absence)))
struct SharedIdentityTests {
    @Test(arguments: [true, false]) func itIsAnIdentityStorage(caches: Bool) async throws {
        var fleets: [TestFleet] = []
        defer { for fleet in fleets { fleet.remove() } }
        try await checkIdentityStorageContract {
            let fleet = try TestFleet()
            fleets.append(fleet)
            return try fleet.kiosk(caches: caches)
        }
    }

    @Test func whatOneKioskSavesTheNextOneHas() async throws {
        let fleet = try TestFleet()
        defer { fleet.remove() }
        let (first, second) = (try fleet.kiosk(), try fleet.kiosk())
        #expect(try await first.save(fleet.identity("alice", [1])) == 1)
        #expect(try await second.save(fleet.identity("bob", [2])) == 2)
        #expect(try await first.identities().map(\.key.userID) == ["alice", "bob"])
        #expect(try await second.identities() == first.identities())
        // A PIN that is changed at one is what the other one has right before it uses it.
        let alice = try #require(try await second.identity(fleet.identity("alice", []).key))
        try await second.save(fleet.identity("alice", [3], version: alice.version))
        #expect(try await first.identity(alice.key)?.record == SecretBytes(copying: [3]))
        // Who saw what was there before deletes nothing of it.
        let refused = await refusal { () throws(IdentityStorageError) in
            try await first.remove(alice.key, version: alice.version)
        }
        #expect(refused == .changedElsewhere)
        let now = try #require(try await first.identity(alice.key))
        try await first.remove(alice.key, version: now.version)
        #expect(try await second.identity(alice.key) == nil)
        #expect(try await second.identities().map(\.key.userID) == ["bob"])
    }

    @Test func ofManyWhoChangeOneAtOnceOneWins() async throws {
        let fleet = try TestFleet()
        defer { fleet.remove() }
        let kiosks = try (0..<4).map { _ in try fleet.kiosk() }
        try await kiosks[0].save(fleet.identity("alice", [0]))
        let version = try #require(try await kiosks[0].identity(fleet.identity("alice", []).key)?.version)
        let outcomes = await withTaskGroup(of: (UInt8, IdentityStorageError.Code?).self) { group in
            for number in 1...20 {
                group.addTask {
                    let mine = fleet.identity("alice", [UInt8(number)], version: version)
                    return (
                        UInt8(number),
                        await refusal { () throws(IdentityStorageError) in _ = try await kiosks[number % 4].save(mine) }
                    )
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let winners = outcomes.filter { $0.1 == nil }.map(\.0)
        #expect(winners.count == 1)
        #expect(outcomes.allSatisfy { $0.1 == nil || $0.1 == .changedElsewhere })
        for kiosk in kiosks {
            #expect(try await kiosk.identities().map(\.record) == winners.map { SecretBytes(copying: [$0]) })
        }
    }

    @Test func theDatabaseLearnsNeitherWhoNorWhere() async throws {
        let fleet = try TestFleet()
        defer { fleet.remove() }
        try await fleet.kiosk("one").save(fleet.identity("alice@example.com", Array("a secret token".utf8)))
        let rows = try await fleet.administrator("SELECT name, sealed FROM identity")
        let file = try Data(contentsOf: URL(filePath: fleet.file("one")))
        for bytes in [try rows.bytes(0, 0), try rows.bytes(0, 1), Array(file)] {
            for text in ["alice", "example", "backend.test", "token"] {
                #expect(Data(bytes).range(of: Data(text.utf8)) == nil)
            }
        }
        let mode = try FileManager.default.attributesOfItem(atPath: fleet.file("one"))[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func anotherFleetsKeyOpensNothing() async throws {
        let fleet = try TestFleet()
        defer { fleet.remove() }
        try await fleet.kiosk().save(fleet.identity("alice", [1]))
        let other = try TestFleet(seed: 8)
        defer { other.remove() }
        let stranger = try fleet.kiosk("stranger", other.key, caches: false)
        #expect(
            await refusal { () throws(IdentityStorageError) in _ = try await stranger.identities() } == .unavailable)
        #expect(
            await refusal { () throws(IdentityStorageError) in _ = try await stranger.save(fleet.identity("bob", [2])) }
                == .unavailable)
        #expect(try await fleet.kiosk().identities().map(\.key.userID) == ["alice"])
    }

    // MARK: The database's administrator

    enum Meddling: String, CaseIterable {
        case swapped, truncated, rolledBack, renumbered, relabelled, broughtBack
    }

    @Test(arguments: Meddling.allCases) func aRowThatIsNotTheLastOneIsRefused(_ meddling: Meddling) async throws {
        let fleet = try TestFleet()
        defer { fleet.remove() }
        let kiosk = try fleet.kiosk("one")
        try await kiosk.save(fleet.identity("alice", [1]))
        try await kiosk.save(fleet.identity("bob", [2]))
        let key = fleet.identity("alice", []).key
        let version = try #require(try await kiosk.identity(key)?.version)
        try await fleet.administrator("CREATE TABLE old AS TABLE identity")
        try await kiosk.save(fleet.identity("alice", [3], version: version))
        switch meddling {
        case .swapped:
            try await fleet.administrator(
                "UPDATE identity SET sealed = (SELECT sealed FROM identity AS other WHERE other.number = 2) WHERE number = 1"
            )
        case .truncated:
            try await fleet.administrator("UPDATE identity SET sealed = substr(sealed, 1, 20) WHERE number = 1")
        case .rolledBack:
            try await fleet.administrator("DELETE FROM identity WHERE number = 1")
            try await fleet.administrator("INSERT INTO identity SELECT * FROM old WHERE number = 1")
        case .renumbered:
            try await fleet.administrator("UPDATE identity SET number = 9 WHERE number = 1")
        case .relabelled:
            try await fleet.administrator("UPDATE identity SET version = version + 100 WHERE number = 1")
        case .broughtBack:
            try await kiosk.remove(key)
            try await fleet.administrator("INSERT INTO identity SELECT * FROM old WHERE number = 1")
        }
        #expect(await refusal { () throws(IdentityStorageError) in _ = try await kiosk.identity(key) } == .damaged)
        // Nor after the kiosk has started anew, and the others are not kept from anything.
        let later = try fleet.kiosk("one")
        #expect(await refusal { () throws(IdentityStorageError) in _ = try await later.identity(key) } == .damaged)
        #expect(try await later.identities().map(\.key.userID) == ["bob"])
        // The person registers again, under another number.
        #expect(try await later.save(fleet.identity("alice", [4])) == 3)
        #expect(try await later.identity(key)?.record == SecretBytes(copying: [4]))
    }

    /// It may be one that a kiosk of a later version wrote; what a medium damaged the person may delete.
    @Test(arguments: [true, false]) func aRowThatDoesNotOpenIsDeletedByWhoSawItLast(isNewer: Bool) async throws {
        let fleet = try TestFleet()
        defer { fleet.remove() }
        let kiosk = try fleet.kiosk()
        try await kiosk.save(fleet.identity("alice", [1]))
        let alice = try #require(try await kiosk.identities().first)
        try await fleet.administrator(
            "UPDATE identity SET sealed = '\\x00'::bytea, version = version + \(isNewer ? 1 : 0)")
        try await fleet.administrator("UPDATE book SET version = version + 1")
        let refused = await refusal { () throws(IdentityStorageError) in
            try await kiosk.remove(alice.key, version: alice.version)
        }
        #expect(refused == (isNewer ? .changedElsewhere : nil))
        let left = try await fleet.administrator("SELECT count(*) FROM identity").integer(0, 0)
        #expect(left == (isNewer ? 1 : 0))
        // Who says no version deletes whatever there is.
        try await kiosk.remove(alice.key)
        #expect(try await fleet.administrator("SELECT count(*) FROM identity").integer(0, 0) == 0)
    }

    @Test func anOlderDatabaseIsRefusedUntilTheOperatorSaysSo() async throws {
        let fleet = try TestFleet()
        defer { fleet.remove() }
        let kiosk = try fleet.kiosk("one", caches: false)
        try await kiosk.save(fleet.identity("alice", [1]))
        try await kiosk.save(fleet.identity("bob", [2]))
        try await fleet.administrator("DELETE FROM identity WHERE number = 2")
        try await fleet.administrator("UPDATE book SET number = 1, version = 1")
        for kiosk in [kiosk, try fleet.kiosk("one", caches: false)] {
            #expect(
                await refusal { () throws(IdentityStorageError) in _ = try await kiosk.identities() } == .unavailable)
            #expect(
                await refusal { () throws(IdentityStorageError) in try await kiosk.prepareToSave() } == .unavailable)
            #expect(
                await refusal { () throws(IdentityStorageError) in
                    _ = try await kiosk.save(fleet.identity("carol", [3]))
                }
                    == .unavailable)
        }
        let accepted = try fleet.kiosk("one", caches: false)
        await accepted.acceptRestored()
        #expect(try await accepted.identities().map(\.key.userID) == ["alice"])
    }

    @Test func anotherDatabaseIsRefusedUntilTheOperatorSaysSo() async throws {
        let (fleet, other) = (try TestFleet(), try TestFleet())
        defer {
            fleet.remove()
            other.remove()
        }
        try await fleet.kiosk("one").save(fleet.identity("alice", [1]))
        try await other.kiosk("two").save(fleet.identity("bob", [2]))
        try FileManager.default.copyItem(atPath: fleet.file("one"), toPath: other.file("one"))
        let kiosk = try other.kiosk("one", caches: false)
        #expect(await refusal { () throws(IdentityStorageError) in _ = try await kiosk.identities() } == .unavailable)
        await kiosk.acceptRestored()
        #expect(try await kiosk.identities().map(\.key.userID) == ["bob"])
    }

    /// What would be one more than fits ends no kiosk.
    @Test(arguments: ["version", "number"]) func numbersOfNoKioskAreRefused(column: String) async throws {
        let fleet = try TestFleet()
        defer { fleet.remove() }
        let kiosk = try fleet.kiosk("one", caches: false)
        try await kiosk.save(fleet.identity("alice", [1]))
        try await fleet.administrator("UPDATE book SET \(column) = 9223372036854775807")
        #expect(
            await refusal { () throws(IdentityStorageError) in _ = try await kiosk.save(fleet.identity("bob", [2])) }
                == .unavailable)
    }

    /// Two calls of one kiosk at a time: what one learned the other one does not forget.
    @Test func callsThatOverlapForgetNothing() async throws {
        let fleet = try TestFleet()
        defer { fleet.remove() }
        let (kiosk, other) = (try fleet.kiosk("one"), try fleet.kiosk("two"))
        for number in 0..<20 { try await other.save(fleet.identity("user\(number)", [UInt8(number)])) }
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask {
                    let user = fleet.identity("user\(number % 20)", [])
                    switch number % 4 {
                    case 0: _ = try? await kiosk.identities()
                    case 1: try? await kiosk.remove(user.key)
                    case 2: _ = try? await kiosk.identity(user.key)
                    default: _ = try? await other.save(fleet.identity("new\(number)", [1]))
                    }
                }
            }
        }
        #expect(try await kiosk.identities() == other.identities())
        #expect(try await kiosk.identities() == fleet.kiosk("three").identities())
    }

    @Test func aUserWhoMayOnlyReadSavesNothing() async throws {
        let fleet = try TestFleet()
        defer { fleet.remove() }
        try await fleet.kiosk().save(fleet.identity("alice", [1]))
        try await fleet.administrator("CREATE ROLE reader_\(fleet.schema) LOGIN")
        try await fleet.administrator("GRANT USAGE ON SCHEMA \(fleet.schema) TO reader_\(fleet.schema)")
        try await fleet.administrator("GRANT SELECT ON ALL TABLES IN SCHEMA \(fleet.schema) TO reader_\(fleet.schema)")
        let reader = try fleet.kiosk(user: "reader_\(fleet.schema)")
        #expect(try await reader.identities().count == 1)
        #expect(await refusal { () throws(IdentityStorageError) in try await reader.prepareToSave() } == .unavailable)
        #expect(
            await refusal { () throws(IdentityStorageError) in _ = try await reader.save(fleet.identity("bob", [2])) }
                == .unavailable)
    }

    // MARK: The database away

    @Test func peopleWhoWereSeenLogInWhileItIsAway() async throws {
        let fleet = try TestFleet()
        defer { fleet.remove() }
        let key = fleet.identity("alice", []).key
        try await fleet.kiosk("one").save(fleet.identity("alice", [1]))
        try await fleet.kiosk("two", caches: false).save(fleet.identity("bob", [2]))
        let away = try TestFleet("host=\(fleet.folder) user=tester dbname=postgres")
        defer { away.remove() }
        for name in ["one", "two"] {
            try FileManager.default.copyItem(atPath: fleet.file(name), toPath: away.file(name))
        }
        let kiosk = try away.kiosk("one")
        #expect(try await kiosk.identities().map(\.key.userID) == ["alice"])
        #expect(try await kiosk.identity(key)?.record == SecretBytes(copying: [1]))
        #expect(await refusal { () throws(IdentityStorageError) in try await kiosk.prepareToSave() } == .unavailable)
        #expect(
            await refusal { () throws(IdentityStorageError) in _ = try await kiosk.save(fleet.identity("bob", [2])) }
                == .unavailable)
        // Where that is switched off there is nothing to give out, also not from the file.
        let strict = try away.kiosk("two", caches: false)
        #expect(await refusal { () throws(IdentityStorageError) in _ = try await strict.identities() } == .unavailable)
        let lenient = try away.kiosk("two")
        #expect(try await lenient.identities().isEmpty)
    }

    @Test func aServerThatIsKilledIsFoundAgain() async throws {
        let server = try PostgreSQLServer()
        let fleet = try TestFleet(server.address)
        defer { fleet.remove() }
        let kiosk = try fleet.kiosk("one")
        try await kiosk.save(fleet.identity("alice", [1]))
        try server.crash()
        // The first calls may meet connections that have ended.
        var saved: Int?
        for _ in 0..<100 where saved == nil {
            saved = try? await kiosk.save(fleet.identity("bob", [2]))
            if saved == nil { try await Task.sleep(for: .milliseconds(100)) }
        }
        #expect(saved == 2)
        #expect(try await fleet.kiosk("two").identities().map(\.key.userID) == ["alice", "bob"])
    }

    // MARK: What a kiosk has seen

    @Test func aFileThatIsNotItsOwnIsAsNone() async throws {
        let fleet = try TestFleet()
        defer { fleet.remove() }
        try await fleet.kiosk("one").save(fleet.identity("alice", [1]))
        let bytes = try Data(contentsOf: URL(filePath: fleet.file("one")))
        var changed = bytes
        changed[bytes.count / 2] ^= 1
        for content in [changed, Data(), bytes.prefix(40), Data(repeating: 0, count: 100)] {
            try content.write(to: URL(filePath: fleet.file("one")))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: fleet.file("one"))
            #expect(throws: FileFault.self) { try KnownRows.load(fleet.file("one"), fleet.key) }
            #expect(try await fleet.kiosk("one").identities().count == 1)
        }
    }

    @Test func tokensGoWhenTheOperatorWantsNoCopy() async throws {
        let fleet = try TestFleet()
        defer { fleet.remove() }
        try await fleet.kiosk("one").save(fleet.identity("alice", [1]))
        _ = try fleet.kiosk("one", caches: false)
        let marks = try #require(try KnownRows.load(fleet.file("one"), fleet.key)).marks.values
        #expect(marks.count == 1 && marks.allSatisfy { $0.sealed == nil && $0.version > 0 })
    }

    @Test func moreThanOneAnswersWorthIsFetched() async throws {
        let fleet = try TestFleet()
        defer { fleet.remove() }
        let kiosk = try fleet.kiosk("one")
        // 1,200 rows of an administrator's making, of which none opens, and one that does.
        try await kiosk.save(fleet.identity("alice", [1]))
        try await fleet.administrator(
            """
            INSERT INTO identity (name, number, version, sealed)
            SELECT sha256(n::text::bytea), n, n, '\\x00'::bytea FROM generate_series(2, 1201) AS n
            """)
        try await fleet.administrator("UPDATE book SET number = 1201, version = 1201")
        let later = try fleet.kiosk("two")
        #expect(try await later.identities().map(\.key.userID) == ["alice"])
        #expect(try await later.save(fleet.identity("bob", [2])) == 1202)
    }
}
