// SPDX-License-Identifier: Apache-2.0

import MPinClient
import Testing

@testable import login_kiosk_dev

@Suite struct SwarmPlans {
    private func plan(_ rate: Double = 10, _ seconds: Double = 6, wrong: Double = 0.1, seed: UInt64 = 7) -> SwarmPlan {
        SwarmPlan(rate: rate, seconds: seconds, wrongShare: wrong, seed: seed)
    }

    @Test func areTheSeedsAlone() {
        #expect(plan() == plan())
        #expect(plan() != plan(seed: 8))
    }

    @Test(arguments: [
        (10.0, 6.0, 0.1, 60, 6), (1000.0 / 60, 60.0, 0.0, 1000, 0), (0.5, 1.0, 0.0, 1, 0),
        (10.0, 1.0, 0.5, 10, 5), (1.0, 9.0, 0.05, 9, 0),
    ])
    func haveSoManyLogins(_ rate: Double, _ seconds: Double, _ wrong: Double, _ logins: Int, _ wrongPINs: Int) {
        let plan = plan(rate, seconds, wrong: wrong)
        #expect(plan.logins.count == logins)
        #expect(plan.wrongPINs == wrongPINs)
    }

    @Test func bringOneLoginInEachSlot() {
        for (slot, login) in plan().logins.enumerated() {
            #expect((Double(slot) / 10..<Double(slot + 1) / 10).contains(login.begins))
        }
    }

    @Test func haveABound() {
        #expect(plan(100_000, 86_400, wrong: 0).logins.count == SwarmPlan.maximumLogins)
    }

    @Test func giveOutWhoWaitedLongest() throws {
        let pool = SwarmPool(kiosks: 2, pages: 3)
        let first = try #require(pool.take())
        #expect(first == SwarmPool.Taken(kiosk: 0, page: 0))
        #expect(pool.take() == SwarmPool.Taken(kiosk: 1, page: 1))
        #expect(pool.take() == nil)
        pool.give(first, kioskToo: true)
        #expect(pool.take() == SwarmPool.Taken(kiosk: 0, page: 2))
        pool.give(first, kioskToo: false)
        #expect(pool.take() == nil)
    }

    @Test func giveOutKiosksWithoutBrowsers() {
        #expect(SwarmPool(kiosks: 1, pages: 0).take() == SwarmPool.Taken(kiosk: 0, page: nil))
    }
}

@Suite struct SwarmLogins {
    private func login(
        wrong: Bool = false, _ told: SwarmLogin.Told, greets: String? = nil, page: Bool = true, user: String = "a"
    ) -> SwarmLogin {
        SwarmLogin(
            begins: 0, ends: 1, user: user, typedWrongPIN: wrong, told: told, greeted: greets, hasPage: page)
    }

    /// The typed PIN, the kiosk's message, the person that the page greets, and the fault.
    @Test(arguments: [
        (false, SwarmLogin.Told.loggedIn, "a" as String?, SwarmLogin.Fault?.none), (false, .loggedIn, nil, .lostLogin),
        (false, .loggedIn, "b", .wrongVerdict), (false, .wrongPIN, nil, .wrongVerdict),
        (false, .refused("revoked"), nil, .wrongVerdict), (false, .tryAgain("busy"), nil, nil),
        (false, .tryAgain("outcome_unknown"), "a", nil), (false, .tryAgain("busy"), "b", .wrongVerdict),
        (false, .nothing, nil, .lostLogin), (true, .wrongPIN, nil, nil), (true, .loggedIn, "a", .wrongVerdict),
        (true, .loggedIn, nil, .wrongVerdict), (true, .tryAgain("busy"), nil, nil),
        (true, .tryAgain("busy"), "a", .wrongVerdict), (true, .wrongPIN, "a", .wrongVerdict),
    ])
    func areChecked(_ wrong: Bool, _ told: SwarmLogin.Told, _ greets: String?, _ fault: SwarmLogin.Fault?) {
        #expect(login(wrong: wrong, told, greets: greets).fault == fault)
    }

    @Test func ofTheDeviceItselfNeedNoPage() { #expect(login(.loggedIn, page: false).fault == nil) }

    /// Wrong PINs in the list, and those that are lost or counted twice: of one that was reported, and of one after
    /// which the person may try again.
    @Test(arguments: [(0, 0, 1, 0), (1, 0, 0, 0), (1, 1, 0, 0), (2, 1, 0, 1), (1, 2, 0, 1), (0, 2, 1, 1)])
    func areComparedWithTheList(_ ofTold: Int, _ ofUnclear: Int, _ lost: Int, _ extra: Int) {
        let logins = [
            login(wrong: true, .wrongPIN, user: "told"), login(wrong: true, .tryAgain("busy"), user: "unclear"),
            login(.loggedIn, greets: "right", user: "right"), login(.loggedIn, greets: "right", user: "right"),
        ]
        let counts = SwarmCounts(logins, list: ["told": ofTold, "unclear": ofUnclear, "another": 2])
        #expect(counts.told == 1 && counts.unclear == 1)
        #expect(counts.counted == ofTold + ofUnclear)
        #expect(counts.lost == lost && counts.extra == extra)
    }

    @Test func ofARightPINCountNothing() {
        #expect(SwarmCounts([login(.loggedIn)], list: ["a": 1]).extra == 1)
    }

    @Test(arguments: [
        (200, nil as String?), (204, nil), (303, nil), (400, "http_400"), (401, nil), (429, "http_429"),
        (502, "http_502"),
        (503, "http_503"), (599, "http_599"), (999, "http_other"),
    ])
    func haveFailuresByKind(_ status: Int, _ kind: String?) {
        #expect(ObservedTransport.failure(ofStatus: status) == kind)
    }

    @Test func areAtPlacesOfTheirOwn() {
        #expect((0..<10_000).map { SwarmTarget.address(ofNumber: $0).value }.count == 10_000)
        #expect(Set((0..<10_000).map { SwarmTarget.address(ofNumber: $0).value }).count == 10_000)
        #expect(SwarmTarget.address(ofNumber: 259).value == "198.18.1.3")
    }

    @Test func endWhenTheirTimeIsOver() async throws {
        let limits = TimeLimits()
        async let _ = limits.watch(every: .milliseconds(1))
        #expect(try await limits.within(.milliseconds(1)) { try await Task.sleep(for: .seconds(600)) } == nil)
        #expect(try await limits.within(.seconds(600)) { 7 } == 7)
        await #expect(throws: CancellationError.self) {
            try await limits.within(.seconds(600)) { throw CancellationError() }
        }
    }
}
