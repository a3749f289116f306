// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import Foundation
import LoginValues
import PictureTestKit
import Patience
import Testing

@testable import login_kiosk_dev

@Suite struct SwarmReports {
    private static func login(
        _ told: SwarmLogin.Told, ends: Double, outcome: Double? = nil, wrong: Bool = false, greets: String? = nil
    ) -> SwarmLogin {
        SwarmLogin(
            begins: ends - 1, ends: ends, user: "a", typedWrongPIN: wrong, told: told, greeted: greets, hasPage: true,
            pageSession: 0.01, outcome: outcome, knowledge: greets.map { _ in 0.5 })
    }

    private static func report(_ logins: [SwarmLogin], errors: [String: Int] = [:], counts: SwarmCounts? = nil)
        -> SwarmReport
    {
        var tally = SwarmTally.State()
        tally.logins = logins
        tally.registrations = [1, 2, 3]
        tally.errors = errors
        tally.notBegun = 4
        return SwarmReport(
            settings: Swarm.Settings(
                backend: "http://127.0.0.1:1", kiosks: 8, browsers: 8, rate: 2, seconds: 4, wrongShare: 0, seed: 1),
            begins: 1_000, seconds: 4, planned: 9, tally: tally, counts: counts)
    }

    private let mixed = report(
        [
            login(.loggedIn, ends: 0.5, outcome: 0.2, greets: "a"),
            login(.loggedIn, ends: 0.9, outcome: 0.4, greets: "a"),
            login(.tryAgain("unreachable"), ends: 2.5), login(.wrongPIN, ends: 3, outcome: 2, wrong: true),
            // A login that never ended belongs to the last moment.
            login(.nothing, ends: 90),
        ], errors: ["http_502": 3],
        counts: SwarmCounts([login(.wrongPIN, ends: 3, outcome: 2, wrong: true)], list: ["a": 1]))

    @Test func tellWhatHappened() {
        let (outcomes, times) = (mixed.outcomes, mixed.times)
        #expect(
            outcomes.loggedIn == 2 && outcomes.wrongPIN == 1 && outcomes.unanswered == 1 && outcomes.notBegun == 4)
        #expect(outcomes.perSecond == 0.5)
        #expect(outcomes.tryAgain == ["unreachable": 1])
        #expect(times.lastDigitToOutcome.p50 == 0.4 && times.lastDigitToOutcome.count == 2)
        #expect(times.wrongPINToOutcome.max == 2)
        #expect(times.outcomeToPage.p99 == 0.5)
        #expect(mixed.problems.faults == ["wrong_verdicts": 0, "lost_logins": 1, "lost_counts": 0, "double_counts": 0])
        #expect(mixed.problems.hasFaults)
    }

    @Test func tellItSecondBySecond() {
        #expect(mixed.course.moments.map(\.loggedIn) == [2, 0, 0, 0])
        #expect(mixed.course.moments.map(\.tryAgain) == [0, 0, 1, 1])
    }

    @Test(arguments: [(0.0, 1), (0.5, 1), (10, 10), (600, 600), (3_000, 600)])
    func haveABoundedListOfMoments(_ seconds: Double, _ count: Int) {
        #expect(SwarmReport.Course([], seconds: seconds).moments.count == count)
    }

    @Test func areAnObject() throws {
        let text = try JSONOutput.text(of: mixed, keys: .convertToSnakeCase)
        let object = try #require(try JSONSerialization.jsonObject(with: text) as? [String: Any])
        #expect(object["version"] as? Int == 1)
        // Those of docs/load.md. Without an operator `counts`, with one `not_compared` has no value.
        #expect(
            object.keys.sorted() == [
                "backend", "begins", "browsers", "counts", "errors", "faults", "kiosks",
                "last_digit_to_outcome", "logged_in", "moment_seconds", "moments", "not_begun", "outcome_to_page",
                "page_session", "per_second", "planned", "rate", "refused", "registration", "seconds", "seed",
                "try_again",
                "unanswered", "version", "wrong_pin", "wrong_pin_to_outcome",
            ])
        let moments = try #require(object["moments"] as? [[String: Double]])
        #expect(moments.first == ["second": 0, "logged_in": 2, "try_again": 0])
        #expect(object["per_second"] as? Double == 0.5)
        let outcome = try #require(object["last_digit_to_outcome"] as? [String: Double])
        #expect(outcome == ["count": 2, "p50": 0.4, "p90": 0.4, "p99": 0.4, "max": 0.4])
        let none = try #require(object["page_session"] as? [String: Double])
        #expect(none["count"] == 5)
        #expect((object["counts"] as? [String: Int]) == ["told": 1, "unclear": 0, "counted": 1, "lost": 0, "extra": 0])
    }

    @Test func areReadByPeople() {
        let text = mixed.text
        for line in [
            "8 kiosks, 8 browsers, 9 logins planned in 4.0 s",
            "logged in 2, 0.5 a second; wrong PIN 1; no kiosk free 4; unanswered 1", "try again: unreachable 1",
            "requests that failed: http_502 3", "faults: lost_logins 1",
            "wrong PINs: told 1, unclear 0, counted 1, lost 0, twice 0",
            "registration           2.000  3.000  3.000  3.000",
        ] { #expect(text.contains(line), "\(text)") }
        #expect(Self.report([]).text.contains("last digit to outcome  -      -      -      -"))
    }
}

@Suite struct OperatorLists {
    private static let page = """
        <form method="post" action="/operator/logout"><input type="hidden" name="token" value="ffff"></form>
        <p role="status">Confirmed</p>
        <tr role="row" data-identity="00ff" data-state="registered" data-failures="2"><td><bdi>a@example.com</bdi></td>\
        <td><form><input type="hidden" name="token" value="0123ab"></form></td></tr>
        <tr role="row" data-identity="0a" data-state="unconfirmed" data-failures="0"><td><bdi>b@example.com</bdi>\
        </td></tr>
        <nav class="pages"><a rel="next" href="/operator?q=a&amp;after=x-_1">Next</a></nav>
        """

    @Test func areRead() throws {
        let list = try #require(OperatorList(page: Data(Self.page.utf8)))
        #expect(list.next == "/operator?q=a&after=x-_1")
        #expect(
            list.rows == [
                OperatorList.Row(
                    user: "a@example.com", fingerprint: "00ff", status: "registered", wrongPINs: 2, token: "0123ab"),
                OperatorList.Row(
                    user: "b@example.com", fingerprint: "0a", status: "unconfirmed", wrongPINs: 0, token: ""),
            ])
    }

    @Test func areNoOtherPages() {
        #expect(OperatorList(page: Data("<form action=\"/operator/login\">".utf8)) == nil)
    }

    /// Reading any page ends.
    @Test(arguments: 0..<200 as Range<UInt64>)
    func takeAnyPage(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let page = Array(Self.page.utf8).damaged(1...20, using: &random)
        let rows = OperatorList(page: Data(page))?.rows ?? []
        #expect(rows.count <= page.count)
        _ = SwarmPage.code(in: Data(page))
        _ = SwarmPage.code(inPicture: page)
    }

    @Test(arguments: [
        (#"<p>type <code id="code">1234567</code>"#, "1234567" as String?), (#"<code id="code"></code>"#, nil),
        (#"<code id="code">12"#, nil), (#"<code id="code">a b</code>"#, nil), ("<code>1</code>", nil),
    ])
    func standBesidePagesWithACode(_ page: String, _ code: String?) {
        let found = SwarmPage.code(in: Data(page.utf8))
        #expect(found?.withCharacters { $0.count } == code?.utf8.count)
    }

    @Test(arguments: [
        ("https://login.example.com#0123abcd", "0123abcd" as String?), ("https://login.example.com", nil),
    ])
    func areReadFromTheirPicture(_ text: String, _ code: String?) {
        let found = SwarmPage.code(inPicture: QRPicture.encode(text).png())
        #expect(found?.withCharacters { $0.count } == code?.utf8.count)
    }
}
