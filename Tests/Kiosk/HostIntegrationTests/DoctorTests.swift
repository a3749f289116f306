// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinuxSystem
import LoginValues
import Patience
import Testing

@testable import HostIntegration

@Suite("The doctor's checks, on made-up machines")
struct DoctorTests {
    @Test(arguments: [
        (ClockFacts(now: 0, isSynchronised: true, hasBattery: true), CheckResult.Status.failure),
        (ClockFacts(now: ClockCheck.earliest - 1, isSynchronised: true, hasBattery: true), .failure),
        (ClockFacts(now: ClockCheck.earliest, isSynchronised: false, hasBattery: true), .warning),
        (ClockFacts(now: ClockCheck.earliest, isSynchronised: true, hasBattery: false), .ok),
    ])
    func clock(facts: ClockFacts, expected: CheckResult.Status) {
        let result = ClockCheck.result(facts)
        #expect(result.status == expected, "\(result)")
        #expect((result.remedy == nil) == (expected == .ok))
        #expect(result.finding.contains("battery") == !facts.hasBattery || expected == .failure)
    }

    @Test func theClockOfThisMachine() { #expect(ClockFacts.ofThisMachine().now > ClockCheck.earliest) }

    private static let places = KioskDirectories(state: "/s", configuration: "/c")

    private static func facts(
        owner: UInt32? = 7, database: Bool = true, key: Bool = true, fault: FileFault? = nil, user: UInt32 = 7
    ) -> StoreFacts {
        StoreFacts(
            places: places, owner: owner.map { ActingUser(user: $0, group: $0) }, hasDatabase: database, hasKey: key,
            fault: fault, user: user)
    }

    @Test(arguments: [
        (facts(owner: nil, database: false, key: false), CheckResult.Status.warning, "/s is not there"),
        (
            facts(fault: FileFault(.readable(.directory, mode: 0o40750), path: "/s")), .failure,
            "/s is open to other users (mode 0750)"
        ),
        (facts(database: false, key: false, user: 8), .failure, "belongs to"),
        (facts(database: false, key: false), .ok, "nobody is registered"),
        (facts(key: false), .failure, "the key file /c/identities.key is missing"),
        (
            facts(fault: FileFault(.foreignOwner(8, user: 7), path: "/c/identities.key")), .failure,
            "/c/identities.key belongs to user"
        ),
        (facts(user: 0), .ok, "not opened"),
    ])
    func storeUnopened(facts: StoreFacts, expected: CheckResult.Status, finding: String) async {
        let result = await StoreCheck.result(facts) {
            Issue.record("it must not be opened")
            return .refused("")
        }
        #expect(result.status == expected && result.finding.contains(finding), "\(result)")
    }

    @Test(arguments: [
        (StoreCheck.Opening.opened(identities: 3, damaged: 0), CheckResult.Status.ok, "3 identities"),
        (.opened(identities: 3, damaged: 1), .failure, "1 that do not open"),
        (.opened(identities: 3, damaged: 0, lost: 2), .failure, "3 identities in /s, and 2 that are lost"),
        (.opened(identities: 3, damaged: 1, lost: 2), .failure, "1 that do not open, 2 that are lost"),
        (.refused("the key is wrong"), .failure, "the key is wrong"),
    ])
    func storeOpened(opening: StoreCheck.Opening, expected: CheckResult.Status, finding: String) async {
        let result = await StoreCheck.result(DoctorTests.facts()) { opening }
        #expect(result.status == expected && result.finding.contains(finding), "\(result)")
    }

    @Test(arguments: [true, false]) func storeWithoutRoom(hasDatabase: Bool) async {
        let facts = DoctorTests.facts(database: hasDatabase)
        let result = await StoreCheck.result(facts) {
            "no room"
        } open: {
            Issue.record("what is told first is the shortage")
            return .refused("")
        }
        #expect(result.status == .failure && result.finding == "no room", "\(result)")
        // An attempt by another user would prove nothing.
        let foreign = await StoreCheck.result(DoctorTests.facts(user: 0)) {
            Issue.record("it must not be written to")
            return nil
        } open: {
            .refused("")
        }
        #expect(foreign.status == .ok)
    }

    @Test func trust() throws {
        let files = try FileTree()
        let file = TrustFile(path: files.path("trusted"))
        func checked(_ answers: [(host: String, answer: TrustCheck.Answer)]? = nil, allowsHTTP: Bool = false)
            -> CheckResult
        {
            TrustCheck.result(file, answers: answers, allowsLoopbackHTTP: allowsHTTP)
        }
        #expect(checked().finding.contains("no service is trusted"))
        _ = try file.add(TrustLine("a.org"))
        #expect(checked().status == .ok)
        #expect(checked([]).status == .ok)
        #expect(checked([("a.org", .silence)]).finding == "no answer from a.org")
        let refused = checked([("a.org", .otherKey)])
        #expect(refused.status == .failure && refused.finding == "the server's key is none of those pinned for a.org")
        #expect(refused.remedy?.contains("login-kiosk trust pin a.org") == true)
        let both = checked([("a.org", .otherKey), ("b.org", .silence)])
        #expect(both.finding.hasSuffix("pinned for a.org; no answer from b.org"))
        for (status, location, words) in [
            (200, nil, nil), (404, nil, nil), (401, nil, nil), (302, nil, nil), (302, "/login", nil),
            (301, "https://a.org/login", nil), (307, "https://A.org:8443/", nil),
            (302, "http://portal.example/login?x=1", "a.org leads to another host, portal.example (302)"),
            (511, nil, "a.org: the network wants a login first (511)"),
            (502, nil, "a.org answers with a failure (502)"),
            (599, nil, "a.org answers with a failure (599)"),
        ] as [(Int, String?, String?)] {
            let trouble = TrustCheck.trouble("a.org", status, location)
            #expect(trouble?.hasPrefix(words ?? "-") ?? (words == nil), "\(status)")
            let result = checked([("a.org", trouble.map { .trouble($0) } ?? .service)])
            #expect(result.status == (words == nil ? .ok : .failure), "\(result)")
        }
        #expect(TrustCheck.trouble("a.org:8443", 302, "https://a.org/") == nil)
        #expect(TrustCheck.trouble("a.org:8443", 302, "https://b.org/") != nil)
        let expired = checked([("a.org", .certificate("a.org: the certificate has expired"))])
        #expect(expired.status == .failure && expired.finding == "a.org: the certificate has expired")
        #expect(expired.remedy?.hasPrefix("look at this machine's clock") == true)
        let page = checked([("a.org", .page)])
        #expect(page.status == .warning && page.finding.hasPrefix("a.org has a page"), "\(page)")
        #expect(unsafe chmod(file.path, 0o666) == 0)
        let exposed = checked()
        #expect(exposed.status == .failure && exposed.remedy?.contains("chmod go-w \(file.path)") == true)
        #expect(unsafe chmod(file.path, 0o644) == 0)
        _ = try file.add(TrustLine("localhost:8480"))
        for (unreachable, allowsHTTP, isTold) in [
            (nil, false, true), (nil, true, false), (["localhost:8480"], false, true), (["a.org"], false, false),
            (["localhost:8480"], true, false),
        ] as [([String]?, Bool, Bool)] {
            let result = checked(unreachable?.map { ($0, .silence) }, allowsHTTP: allowsHTTP)
            let text = result.finding + (result.remedy ?? "")
            #expect(text.contains("--allow-loopback-http") == isTold, "\(result)")
        }
        // It answers by http, which is no TLS.
        let plain = checked([("localhost:8480", .certificate("no TLS"))])
        #expect(plain.remedy?.contains("--allow-loopback-http") == true, "\(plain)")
        _ = try file.add(TrustLine("*.co.uk"))
        let wide = checked(allowsHTTP: true)
        #expect(wide.status == .warning && wide.finding.contains("*.co.uk trusts strangers"), "\(wide)")
        try Data("nonsense here\n".utf8).write(to: URL(filePath: file.path))
        #expect(checked().finding.contains(":1:"))
    }

    @Test(
        arguments: [
            (nil, nil, true, CheckResult.Status.failure, "not installed"),
            ("/x", nil, true, .failure, "does not stay running"),
            ("/x", "Name:\tx\nNoNewPrivs:\t1\nSeccomp:\t0\n", true, .failure, "without"),
            ("/x", "Name:\tx\nNoNewPrivs:\t0\nSeccomp:\t2\n", true, .failure, "without"),
            ("/x", "Name:\tx\nNoNewPrivs:\t1\nSeccomp:\t2\nSeccomp_filters:\t1\n", true, .ok, "confined"),
            ("/x", "Name:\tx\nNoNewPrivs:\t1\nSeccomp:\t2\n", false, .warning, "no Landlock"),
            ("/x", "Name:\tx\nNoNewPrivs:\t1\nSeccomp:\t0\n", false, .failure, "without"),
        ] as [(String?, String?, Bool, CheckResult.Status, String)])
    func scanner(
        executable: String?, status: String?, confinesFiles: Bool, expected: CheckResult.Status, finding: String
    ) {
        let result = ScannerCheck.result(executable: executable, status: status, confinesFiles: confinesFiles)
        #expect(result.status == expected && result.finding.contains(finding), "\(result)")
    }

    @Test func memory() {
        #expect(MemoryCheck.result(lockFailure: nil).status == .ok)
        let result = MemoryCheck.result(lockFailure: ENOMEM)
        #expect(result.status == .warning && result.finding.contains("swap"), "\(result)")
        #expect(result.remedy?.contains("LimitMEMLOCK") == true)
    }

    @Test func noScannerIsTheChildOfThisTest() { #expect(ScannerCheck.ownStatus == nil) }

    private static let keyboard = """
        I: Bus=0011 Vendor=0001 Product=0001 Version=ab41
        N: Name="AT Translated Set 2 keyboard"
        H: Handlers=sysrq kbd event0 leds
        B: EV=120013
        B: KEY=402000000 3803078f800d001 feffffdfffefffff fffffffffffffffe
        """
    private static let button = """
        I: Bus=0019 Vendor=0000 Product=0001 Version=0000
        N: Name="Power Button"
        H: Handlers=kbd event1
        B: EV=3
        B: KEY=10000000000000 0
        """

    @Test func keyboards() {
        let both = "\(DoctorTests.button)\n\n\(DoctorTests.keyboard)\n"
        #expect(InputDevices.keyboards(in: both) == ["AT Translated Set 2 keyboard"])
        #expect(InputDevices.keyboards(in: DoctorTests.button).isEmpty)
        let kept = ConsoleKeypadCheck.result(devices: both, keepsNumLock: true)
        #expect(kept.status == .ok && !kept.finding.contains("NumLock"))
        #expect(ConsoleKeypadCheck.result(devices: both, keepsNumLock: false).finding.contains("NumLock"))
        #expect(ConsoleKeypadCheck.result(devices: DoctorTests.button, keepsNumLock: true).status == .warning)
        #expect(ConsoleKeypadCheck.result(devices: nil, keepsNumLock: true).status == .warning)
    }

    @Test("A damaged list of input devices gives keyboards or none, without a crash")
    func damagedInputDevices() {
        var chance = SplitMix64(seed: 5)
        for round in 0..<2000 {
            var bytes = Array("\(DoctorTests.keyboard)\n\n\(DoctorTests.button)\n".utf8)
            for _ in 0..<3 {
                bytes[Int.random(in: 0..<bytes.count, using: &chance)] = UInt8.random(in: 0...255, using: &chance)
            }
            #expect(
                InputDevices.keyboards(in: String(decoding: bytes, as: UTF8.self)).count <= 2, "seed 5, round \(round)")
        }
    }
}
