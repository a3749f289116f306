// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import MPinCrypto
import Patience
import Testing

@testable import BackendDatabases
@testable import BackendValues
@testable import MPinServer
@testable import OperatorPage
@testable import ReferenceBackend

/// The backend knows the validity of a person's card, and nobody can set it for others.
@Suite struct CardTimesTests {
    private static func card(from issued: Int64, to ends: Int64) -> StoredCard {
        StoredCard(issued: WallTime(seconds: issued), ends: WallTime(seconds: ends))
    }

    @Test(arguments: StorageUnderTest.allCases)
    func theStorageKeepsTheCardThatEndsLast(_ kind: StorageUnderTest) async throws {
        let state = TemporaryFolder()
        let storage = try kind.open(in: state).durable
        let (now, alice, bob) = (WallTime(seconds: 1000), MPinID([1]), MPinID([2]))
        for (mpinID, userID) in [(alice, "alice"), (bob, "bob")] {
            try await storage.add(RegisteredIdentity(mpinID: mpinID, userID: userID, registered: now))
        }
        func keep(_ issued: Int64, _ ends: Int64, of mpinID: MPinID) async throws {
            try await storage.change(mpinID) { $0.keep(Self.card(from: issued, to: ends)) }
        }
        try await keep(900, 2000, of: alice)
        // A shorter one, and a copy, which ends with the one that it was made from.
        try await keep(950, 1500, of: alice)
        try await keep(990, 2000, of: alice)
        #expect(try await storage.identity(alice)?.card == Self.card(from: 900, to: 2000))
        try await keep(990, 2001, of: alice)
        try await keep(990, 1100, of: bob)
        // Nobody's.
        try await keep(990, 2001, of: MPinID([3]))
        let again = try kind.open(in: state)
        #expect(try await again.durable.identity(alice)?.card == Self.card(from: 990, to: 2001))
        #expect(try await again.durable.identity(bob)?.card == Self.card(from: 990, to: 1100))
        // One that has ended is not shown.
        let users = BackendState(storage: again, clock: ManualWallClock("1970-01-01T00:18:20Z"))
        #expect(try await users.users().map { $0.card != nil } == [true, false])
        // With the identity it goes, and does not come back.
        #expect(try await storage.revoke(IdentitySelection(userID: "alice"), now: now) == 1)
        try await keep(990, 3000, of: alice)
        #expect(try await storage.identity(alice)?.card == nil)
    }

    @Test func aCardOfNoKioskIsNotBelieved() {
        let (now, day) = (WallTime(seconds: 1_000_000_000), Int64(86_400))
        func isPossible(_ from: Int64, _ to: Int64) -> Bool {
            Self.card(from: now.seconds + from, to: now.seconds + to).isPossible(at: now)
        }
        #expect(isPossible(0, 365 * day) && isPossible(day, 2 * day) && isPossible(-3649 * day, day))
        #expect(!isPossible(-day, 0) && !isPossible(day + 1, 2 * day) && !isPossible(0, 3651 * day))
        #expect(Self.card(from: 0, to: 720 * 3600).isTemporary && !Self.card(from: 0, to: 31 * day).isTemporary)
    }

    /// Sends the last request of this device's login, with additional members.
    private static func end(
        _ device: Device, pin: String = "1234", _ card: JSONValue, at endpoint: RunningBackend
    ) async throws -> Int {
        let second = try await device.sendPassTwo(try await device.passTwo(pin: pin))
        // This project's devices send a card only if they find this.
        #expect(second.object.flag("cardTimes") == true)
        let authOTT = try #require(second.object.members["authOTT"])
        return try await endpoint.client.post(
            "/rps/authenticate", ["mpinResponse": .object(["authOTT": authOTT]), "card": card]
        ).status
    }

    /// An authOTT belongs to one identity, and the request cannot name another.
    @Test func onlyAProvedPINSaysIt() async throws {
        try await Device.withEndpoint(.mfaV1) { endpoint in
            let alice = try await Device.registered(.mfaV1, at: endpoint)
            let mallory = try await Device.registered(.mfaV1, as: "mallory@example.com", at: endpoint)
            // After a wrong PIN the next attempt waits, on a clock that stands still here.
            let carol = try await Device.registered(.mfaV1, as: "carol@example.com", at: endpoint)
            func cards() async throws -> [String: BackendUser.Card] {
                let users = try await BackendState(directory: endpoint.state.path, clock: endpoint.clock).users()
                return Dictionary(
                    uniqueKeysWithValues: users.compactMap { user in user.card.map { (user.userID, $0) } })
            }
            let now = endpoint.clock.now.seconds
            let times: [String: JSONValue] = ["issued": .integer(now), "ends": .integer(now + 3600)]
            // A wrong PIN, and an invalid code.
            #expect(try await Self.end(carol, pin: "4321", .object(times), at: endpoint) == 401)
            let made: [String: JSONValue] = [
                "mpinResponse": .object(["authOTT": .string(String(repeating: "0", count: 32))]),
                "card": .object(times), "mpin_id": .string(alice.mpinIDHex), "userId": "alice@example.com",
            ]
            #expect(try await endpoint.client.post("/rps/authenticate", made).status == 412)
            #expect(try await cards() == [:])
            // Whatever else the request names, it is about the person who proved the PIN.
            let forged = times.merging(["mpin_id": .string(alice.mpinIDHex), "userId": "alice@example.com"]) { $1 }
            #expect(try await Self.end(mallory, .object(forged), at: endpoint) == 200)
            let known = try await cards()
            #expect(known.keys.sorted() == ["mallory@example.com"])
            #expect(known["mallory@example.com"]?.isTemporary == true)
            // Impossible times do not prevent the login.
            for odd: JSONValue in [
                "x", .object([:]), .object(["issued": "1", "ends": 2]), .object(["issued": -1, "ends": .integer(now)]),
                .object(["issued": .integer(now), "ends": .integer(.max)]),
                .object(["issued": .integer(now), "ends": .integer(now + 4_000_000_000)]),
                .object(["issued": .integer(now), "ends": .integer(now)]),
            ] { #expect(try await Self.end(alice, odd, at: endpoint) == 200, "\(odd)") }
            #expect(try await cards() == known)
            // A year, and the operator's view of it.
            let year: JSONValue = .object(["issued": .integer(now), "ends": .integer(now + 365 * 86_400)])
            #expect(try await Self.end(alice, year, at: endpoint) == 200)
            let browser = Browser(endpoint.below(""))
            let password = try BackendState.operatorPassword(inDirectory: endpoint.state.path)
            #expect(try await browser.submit("/operator/login", [("password", password)]).status == 303)
            let page = try await browser.get("/operator").text
            let rows = page.split(separator: "<tr ").filter { $0.contains("data-identity") }
            let row = try #require(rows.first { $0.contains("alice@example.com") })
            #expect(row.contains("<span class=\"card\">card until <time datetime=\"2027-11-21T12:00:"))
            #expect(rows.contains { $0.contains("mallory") && $0.contains("temporary card until <time") })
        }
    }
}
