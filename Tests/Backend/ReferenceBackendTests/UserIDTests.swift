// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import Foundation
import GRDB
import LoginValues
import MPinCrypto
import Patience
import Sealing
import Testing

@testable import BackendDatabases
@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// Reading user ids, and converting those of older versions.
@Suite struct UserIDTests {
    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test(arguments: [
        ("Frank@Example.COM", "frank@example.com"), ("\u{212a}elly@example.com", "kelly@example.com"),
        ("Mu\u{308}ller", "m\u{fc}ller"), ("M\u{dc}LLER", "m\u{fc}ller"), ("\u{212b}ngstrom", "\u{e5}ngstrom"),
        ("Anna Maria", "anna maria"), ("\u{130}", "i\u{307}"), ("王小明", "王小明"),
        ("\u{ff46}rank", "\u{ff46}rank"),
    ])
    func hasOneSpelling(_ typed: String, _ text: String) throws {
        #expect(Self.bytes(try UserID(typed).text) == Self.bytes(text))
    }

    @Test(arguments: [
        ("", UserID.Problem.empty), (String(repeating: "x", count: 256), .tooLong),
        (String(repeating: "\u{1f600}", count: 300), .tooLong), (" ", .invisible(position: 1)),
        ("a\u{202e}b", .invisible(position: 2)), ("a\u{200b}", .invisible(position: 2)),
        ("\u{feff}a", .invisible(position: 1)), ("a\u{200d}b", .invisible(position: 2)),
        ("a\nb", .invisible(position: 2)),
        ("a\u{7f}", .invisible(position: 2)), ("a\u{a0}b", .invisible(position: 2)),
        ("a\u{3164}", .invisible(position: 2)), ("a\u{fe0f}", .invisible(position: 2)),
        ("a\u{2028}b", .invisible(position: 2)), ("a\u{e000}", .invisible(position: 2)),
        ("a\u{2800}", .invisible(position: 2)), ("a\u{fffc}", .invisible(position: 2)),
        ("\u{fffc}a", .invisible(position: 1)), (" a", .invisible(position: 1)),
        ("a ", .invisible(position: 2)),
        ("a  b", .invisible(position: 3)),
    ])
    func saysWhyItIsNone(_ typed: String, _ problem: UserID.Problem) {
        #expect(throws: problem) { try UserID(typed) }
        #expect(!"\(problem)".contains("\u{202e}"))
    }

    /// The longest ones fit into every mpin_id that a device accepts.
    @Test(arguments: [
        String(repeating: "a", count: 255), String(repeating: "\u{e9}", count: 80),
        String(repeating: "\u{1f600}", count: 40),
    ])
    func theLongestFitIntoAnMPinID(_ typed: String) throws {
        let userID = try UserID(registering: typed).text
        let (time, salt) = (WallTime(seconds: 9_999_999_999), [UInt8](repeating: 255, count: 16))
        let project = String(repeating: "c", count: 128)
        let made = [
            MPinIDText.make(userID: userID, mobile: 1, issued: time, salt: salt),
            MPinIDText.make(userID: userID, companyID: project, mobile: 1, issued: time, salt: salt),
            MPinIDText.make(
                userID: userID, projectID: project, verification: .registrationCode,
                issued: time,
                salt: salt),
        ]
        for mpinID in made { #expect(mpinID.bytes.count <= 768) }
        #expect(throws: UserID.Problem.tooLong) { try UserID(registering: typed + "\u{1f600}") }
    }

    /// Kiosk and backend agree which user ids are one person's.
    @Test func kioskAndBackendAgreeOnWhoIsWho() {
        var generator = SplitMix64(seed: 20261126)
        let parts = [
            "a", "A", "k", "\u{212a}", "\u{e9}", "e\u{301}", "\u{c9}", "\u{130}", "i", "I\u{307}", "\u{3a3}", "\u{3c3}",
            "\u{3c2}", "\u{df}", "\u{1e9e}", "\u{1100}\u{1161}", "\u{ac00}", "\u{212b}", "\u{e5}", "\u{323}\u{307}",
            "\u{307}\u{323}", "\u{345}", "\u{fb01}", "\u{430}",
        ]
        for _ in 0..<20_000 {
            let texts = (0..<2).map { _ in
                (0..<Int.random(in: 1...3, using: &generator)).map { _ in
                    parts.randomElement(using: &generator) ?? ""
                }.joined()
            }
            let isSame = UserID.normalized(texts[0]).utf8.elementsEqual(UserID.normalized(texts[1]).utf8)
            #expect(texts[0].isSameUserID(as: texts[1]) == isSame, "\(texts.map { $0.unicodeScalars.map(\.value) })")
        }
    }

    /// A user id that was read is read again unchanged, equal texts have equal bytes, and none contains hidden
    /// characters.
    @Test func readsAnything() {
        let seed: UInt64 = 0x5be11
        var generator = SplitMix64(seed: seed)
        let parts = [
            "a", "Z", "@", ".", " ", "e\u{301}", "\u{c9}", "\u{212a}", "\u{130}", "\u{df}", "\u{1e9e}", "\u{200b}",
            "\u{202e}", "\u{fb01}", "\u{1100}\u{1161}", "\u{ac00}", "\u{323}\u{307}", "\u{307}\u{323}", "\u{345}",
            "\u{10400}", "\u{3a3}", "\u{0}", "\u{2126}",
        ]
        var read = 0
        for round in 0..<20_000 {
            var text = ""
            for _ in 0..<Int.random(in: 0...6, using: &generator) {
                if Bool.random(using: &generator) {
                    text += parts.randomElement(using: &generator) ?? ""
                } else if let scalar = Unicode.Scalar(UInt32.random(in: 0...0x1ffff, using: &generator)) {
                    text.unicodeScalars.append(scalar)
                }
            }
            let older = UserID(storedByOlderVersion: text).text
            #expect((try? UserID(older))?.text.utf8.elementsEqual(older.utf8) == true || text.isEmpty, "\(round)")
            guard let userID = try? UserID(text) else { continue }
            read += 1
            #expect((1...UserID.maximumLength).contains(userID.text.utf8.count))
            #expect(
                !userID.text.unicodeScalars.contains { $0 != " " && UserID.isInvisible($0) }, "seed \(seed), \(round)")
            #expect(
                (try? UserID(userID.text))?.text.utf8.elementsEqual(userID.text.utf8) == true, "seed \(seed), \(round)")
            // Any other form that is equivalent in Unicode gives the same bytes.
            let other = text.decomposedStringWithCanonicalMapping
            #expect((try? UserID(other))?.text.utf8.elementsEqual(userID.text.utf8) == true, "seed \(seed), \(round)")
        }
        #expect(read > 1000)
    }

    /// Rows of a version that compared bytes. A person who proved another address than the one it looks like does not
    /// become its owner.
    @Test func oldRowsGetTheSpelling() async throws {
        let state = TemporaryFolder()
        let directory = try StateDirectory(path: state.path)
        let old = [
            "Frank@Example.com", "M\u{dc}LLER", "\u{212a}elly@example.com", "Mu\u{308}ller", "a\u{202e}b@example.com",
            String(repeating: "\u{202e}", count: 80),
        ]
        do {
            let database = try BackendDatabase(state: directory)
            try await database.write { database in
                for (number, userID) in old.enumerated() {
                    try RegisteredIdentity(
                        mpinID: MPinID([UInt8(number)]), userID: userID, registered: WallTime(seconds: 0)
                    ).insert(database)
                }
                try database.execute(
                    sql: "DELETE FROM grdb_migrations WHERE identifier = 'one spelling of a user id'")
            }
        }
        let database = try BackendDatabase(state: directory)
        let found = try await database.read { try RegisteredIdentity.fetchAll($0).map { Self.bytes($0.userID) } }
        let new = [
            "frank@example.com", "m\u{fc}ller", "<u+212a>elly@example.com", "mu<u+308>ller", "a<u+202e>b@example.com",
            "<" + Hexadecimal.text(Digest.sha256(Array(old[5].utf8))) + ">",
        ]
        #expect(found == new.map { Self.bytes($0) })
        // Operators find them by the visible text.
        let operators = BackendState(storage: try .embedded(in: directory), clock: ManualWallClock())
        for userID in new { #expect(try await operators.revoke(userID: userID) == 1) }
        #expect(try await operators.revoke(userID: "kelly@example.com") == 0)
    }

    @Test func anOperatorIsToldWhatIsWrong() async throws {
        let state = TemporaryFolder()
        let operators = try BackendState(directory: state.path, clock: ManualWallClock())
        await #expect(throws: BackendError.invalidUserID("\(UserID.Problem.invisible(position: 2))")) {
            try await operators.revoke(userID: "a\u{202e}b")
        }
    }

    @Test func domainsAreComparedByBytes() {
        let policy = RegistrationPolicy.only(["@EXAMPLE.org", "Zo\u{eb}@example.com"])
        #expect(policy.admits("zo\u{eb}@example.com") && policy.admits("bob@example.org"))
        #expect(!policy.admits("bob@\u{301}example.org") && !policy.admits("bob@example.com"))
        #expect(!MailAddress.isValid("a@b@\u{301}c"))
    }

    @Test func theMpinIDIsASCIIWhateverTheUser() {
        for (userID, isOne) in [
            ("a\"b\\c", true), ("é", true), ("\u{1F600}", true), ("</script>", true), ("\u{7f}\u{80}é", false),
            ("line\nbreak", false),
        ] {
            let made = MPinIDText.make(userID: userID, mobile: 0, issued: WallTime(seconds: 0), salt: [1, 2])
            #expect(made.bytes.allSatisfy { (0x20..<0x7f).contains($0) })
            // A text that is no valid user id names no user in any mpin_id.
            #expect(MPinIDText.userID(in: made) == (isOne ? userID : nil))
        }
    }
}
