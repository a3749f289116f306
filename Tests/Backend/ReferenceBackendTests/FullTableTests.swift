// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import HTTPTypes
import MPinCrypto
import OpenIDProvider
import Patience
import Testing

@testable import BackendDatabases
@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// Tables that are full of other people's entries. A device is told before its login is used up.
@Suite struct FullTableTests {
    private static let capacity = 4

    /// Runs `body` at a dialect's endpoint.
    /// - Parameter small: suffixes of the names of tables that hold ``capacity`` entries.
    private static func withEndpoint(
        _ dialect: Dialect, _ kind: StorageUnderTest, small: [String],
        _ body: @escaping @Sendable (RunningBackend, any VolatileStorage) async throws -> Void
    ) async throws {
        let state = TemporaryFolder()
        var storage = try kind.open(in: state)
        let tables = WatchedTables(inner: storage.volatile) { name, quota in
            var quota = quota
            if small.contains(where: { name.hasSuffix($0) }) { quota.capacity = capacity }
            return quota
        }
        storage.volatile = tables
        try await Device.withEndpoint(dialect, on: storage, in: state) { try await body($0, tables) }
    }

    /// Fills a table of the endpoint with the entries of so many people, and returns a function that deletes them.
    private static func fill<Key: TableKey, Value: Codable & Sendable>(
        _ name: String, _ tables: any VolatileStorage, _ value: Value, at now: WallTime,
        _ key: (Int) throws -> Key
    ) async throws -> @Sendable () async throws -> Void {
        let table: any VolatileTable<Key, Value> = tables.table(name, bounds: .ofPeople)
        let keys = try (0..<capacity).map(key)
        for (number, key) in keys.enumerated() {
            try await table.insert(value, for: key, of: .person("\(number)"), expires: now + .seconds(3600), now: now)
        }
        return { for key in keys { try await table.take(key, now: now) } }
    }

    private static func fillBrowsers(
        _ endpoint: RunningBackend, _ tables: any VolatileStorage
    ) async throws -> @Sendable () async throws -> Void {
        let session = LoggedInBrowser(userID: "other", began: endpoint.clock.now)
        return try await fill(
            endpoint.base.dropFirst() + "/browsers", tables, session, at: endpoint.clock.now,
            { _ in try OneTimeToken.random() })
    }

    private static func isBusy(_ reply: Reply) -> Bool { reply.status == 503 && reply.headers[.retryAfter] != nil }

    private static func failures(_ endpoint: RunningBackend) async throws -> [Int] {
        try await BackendState(directory: endpoint.state.path, clock: endpoint.clock).users().map { $0.failures }
    }

    /// The page shows no other person's login, its code still counts, and the same last request logs the person in
    /// when there is room.
    @Test(arguments: Dialect.allCases)
    func ofBrowsers(_ dialect: Dialect) async throws {
        try await Self.withEndpoint(dialect, .embedded, small: ["/browsers"]) { endpoint, tables in
            let device = try await Device.registered(dialect, at: endpoint)
            let free = try await Self.fillBrowsers(endpoint, tables)
            let browser = try await Browser.opened(endpoint)
            let code = try await browser.anyCode(below: endpoint.base)
            let last = try await device.passes(accessCode: code)
            for _ in 0..<2 {
                let told = try await Self.polled(browser) { try await device.finish(last) }
                #expect(Self.isBusy(told), "\(dialect): \(told.status)")
            }
            let state = try await browser.session()[0]
            #expect(state == "new" || state == "user", "\(dialect): \(state)")
            #expect(try await browser.get("/protected").status == 401)
            #expect(try await Self.failures(endpoint) == [0])
            try await free()
            async let status = device.finish(last).status
            #expect(try await browser.waitForLogin() == Device.userID)
            #expect(try await status == 200)
            // Now it is used up.
            #expect(try await device.finish(last).status != 200)
        }
    }

    /// Sends the request while the page polls.
    private static func polled(
        _ browser: Browser, _ request: @escaping @Sendable () async throws -> Reply
    ) async throws -> Reply {
        try await withThrowingTaskGroup(of: Reply?.self) { group in
            group.addTask { try await request() }
            group.addTask {
                while !Task.isCancelled {
                    let reply = try await browser.get("/session")
                    #expect(reply.status == 200 || isBusy(reply))
                    try? await Task.sleep(for: .milliseconds(2))
                }
                return nil
            }
            let reply = try await group.next() ?? nil
            group.cancelAll()
            return try #require(reply)
        }
    }

    /// While there is no room a wrong PIN gets the same answer as a right one, and it counts when it is checked.
    @Test(arguments: [Dialect.mfaV2, .trust2023, .trust2025])
    func aWrongPINIsNotTold(_ dialect: Dialect) async throws {
        try await Self.withEndpoint(dialect, .embedded, small: ["/browsers"]) { endpoint, tables in
            let device = try await Device.registered(dialect, at: endpoint)
            let free = try await Self.fillBrowsers(endpoint, tables)
            let browser = try await Browser.opened(endpoint)
            let code = try await browser.anyCode(below: endpoint.base)
            let last = try await device.passes(pin: "9999", accessCode: code)
            #expect(Self.isBusy(try await device.finish(last)))
            #expect(try await Self.failures(endpoint) == [0])
            try await free()
            #expect(try await device.finish(last).status == 401)
            #expect(try await Self.failures(endpoint) == [1])
        }
    }

    /// A login for which no device waits: the page sends the last request.
    @Test(arguments: [Dialect.milagro, .milagroWithoutPermits])
    func ofBrowsersWithoutADevice(_ dialect: Dialect) async throws {
        try await Self.withEndpoint(dialect, .embedded, small: ["/browsers"]) { endpoint, tables in
            let device = try await Device.registered(dialect, at: endpoint)
            let free = try await Self.fillBrowsers(endpoint, tables)
            let last = try await device.passes(pin: "1234")
            #expect(Self.isBusy(try await device.handIn(last)))
            try await free()
            #expect(try await device.handIn(last).status == 200)
        }
    }

    /// The table fills up between the device's answer and the page's poll. The page polls until there is room.
    @Test(arguments: [Dialect.mfaV2, .trust2023, .trust2025])
    func ofBrowsersAfterTheDevicesAnswer(_ dialect: Dialect) async throws {
        try await Self.withEndpoint(dialect, .embedded, small: ["/browsers"]) { endpoint, tables in
            let device = try await Device.registered(dialect, at: endpoint)
            let browser = try await Browser.opened(endpoint)
            #expect(try await device.logIn(try await browser.anyCode(below: endpoint.base)) == 200)
            let free = try await Self.fillBrowsers(endpoint, tables)
            for _ in 0..<2 { #expect(Self.isBusy(try await browser.get("/session"))) }
            try await free()
            #expect(try await browser.waitForLogin() == Device.userID)
        }
    }

    /// Codes for applications' own servers.
    @Test(arguments: [Dialect.mfaV1, .mfaV2])
    func ofApplicationLogins(_ dialect: Dialect) async throws {
        try await Self.withEndpoint(dialect, .embedded, small: ["/application logins"]) { endpoint, tables in
            let device = try await Device.registered(dialect, at: endpoint)
            let full = ApplicationLogins(
                dialect == .mfaV1 ? "mfa-v1/application logins" : "platform/application logins", in: tables)
            for number in 0..<Self.capacity {
                _ = try await full.code(for: "\(number)", accessCode: nil, now: endpoint.clock.now)
            }
            let browser = try await Browser.opened(endpoint)
            let code = try await browser.anyCode(below: endpoint.base)
            // A code that no device reads expires after half a minute.
            try await endpoint.report("wid", code, dialect)
            var last = try await device.passes(accessCode: code)
            last["authzRequest"] = true
            if dialect == .mfaV2 { last["wam"] = "authzcode" }
            #expect(Self.isBusy(try await device.finish(last)))
            #expect(try await browser.session()[0] == "scanned")
            // Codes expire after a minute. The login waits for as long after it was put back.
            endpoint.clock.advance(by: .seconds(59))
            #expect(Self.isBusy(try await device.finish(last)))
            endpoint.clock.advance(by: .seconds(2))
            #expect(try await device.finish(last).object.string("code")?.isEmpty == false)
        }
    }

    /// A stranger's pages, codes and wrong logins never take room in these tables.
    @Test(arguments: Dialect.allCases)
    func strangersFillNone(_ dialect: Dialect) async throws {
        let small = ["/browsers", "/openid/logged in", "/application logins"]
        try await Self.withEndpoint(dialect, .embedded, small: small) { endpoint, tables in
            let device = try await Device.registered(dialect, at: endpoint)
            let stranger = Stranger("127.0.0.2", at: endpoint)
            let pages = try await stranger.get(endpoint.base + "/", times: 40)
            #expect(pages.allSatisfy { $0.status == 200 })
            let junk = (0..<40).map { number -> [String: JSONValue] in
                let token = String(repeating: "0", count: 30) + String(number + 10)
                return ["authOTT": .string(token), "mpinResponse": .object(["authOTT": .string(token)])]
            }
            for path in ["/rps/authenticate", "/mpinAuthenticate", "/rps/v2/authenticate"] {
                let replies = try await stranger.post(endpoint.base + path, junk)
                #expect(replies.allSatisfy { (400..<500).contains($0.status) })
            }
            let browser = try await Browser.opened(endpoint)
            try await device.logIn(browser, at: endpoint.base)
            withExtendedLifetime(tables) {}
        }
    }

    /// PostgreSQL is not asked for room before a login, which would cost a round trip. A process remembers the last
    /// login without room.
    @Test(arguments: StorageUnderTest.allCases.contains(.postgreSQL) ? Dialect.allCases : [])
    func onPostgreSQL(_ dialect: Dialect) async throws {
        try await Self.withEndpoint(dialect, .postgreSQL, small: ["/browsers"]) { endpoint, tables in
            let device = try await Device.registered(dialect, at: endpoint)
            let isClassic = dialect.platformGeneration == nil
            let free = try await Self.fillBrowsers(endpoint, tables)
            let browser = try await Browser.opened(endpoint)
            let code = try await browser.anyCode(below: endpoint.base)
            let body = try await device.passes(accessCode: code)
            let first = try await Self.polled(browser) { try await device.finish(body) }
            #expect(isClassic ? Self.isBusy(first) : first.status == 200)
            // The page polls for its login until there is room.
            while !isClassic, try await !Self.isBusy(browser.get("/session")) {}
            // Now the process knows.
            let next = try await Browser.opened(endpoint)
            let second = try await device.passes(accessCode: try await next.anyCode(below: endpoint.base))
            #expect(Self.isBusy(try await Self.polled(next) { try await device.finish(second) }))
            try await free()
            endpoint.clock.advance(by: .seconds(6))
            async let status = device.finish(isClassic ? body : second).status
            #expect(try await (isClassic ? browser : next).waitForLogin() == Device.userID)
            #expect(try await status == 200)
            if !isClassic { #expect(try await browser.waitForLogin() == Device.userID) }
        }
    }
}
