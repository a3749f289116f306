// SPDX-License-Identifier: Apache-2.0

import Foundation
import Patience
import Testing

/// Two commands change the same file at the same time, again and again. Neither loses the other's change.
@Suite("Simultaneous changes", .fewAtATime)
struct ChangesAtOnceTests {
    private static let rounds = TestEffort.rounds(8)

    let scratch: Scratch
    let kiosk: Program

    init() throws {
        scratch = try Scratch()
        kiosk = try Program("login-kiosk")
    }

    private func places(_ round: Int) -> [String] {
        ["--state", scratch.path("state-\(round)"), "--config", scratch.path("config-\(round)")]
    }

    /// Runs two commands at the same time.
    private func pair(_ one: [String], _ other: [String]) async throws -> (one: Program.Run, other: Program.Run) {
        async let first = kiosk.run(one)
        async let second = kiosk.run(other)
        return (try await first, try await second)
    }

    private func trusted(_ round: Int) async throws -> Set<String> {
        Set(try await kiosk.run(["trust", "list"] + places(round)).output.split(separator: "\n").map(String.init))
    }

    @Test("A removed entry stays removed, and an added one is there")
    func removeBesideAdd() async throws {
        for round in 0..<Self.rounds {
            _ = try await kiosk.run(["trust", "add", "gone.org", "kept.org"] + places(round))
            let runs = try await pair(
                ["trust", "remove", "gone.org"] + places(round), ["trust", "add", "new.org"] + places(round))
            #expect(runs.one.status == 0 && runs.other.status == 0, "\(runs)")
            #expect(try await trusted(round) == ["kept.org", "new.org"], "round \(round)")
        }
    }

    @Test func addBesideAdd() async throws {
        for round in 0..<Self.rounds {
            let runs = try await pair(
                ["trust", "add", "a.org"] + places(round), ["trust", "add", "b.org"] + places(round))
            #expect(runs.one.status == 0 && runs.other.status == 0, "\(runs)")
            #expect(try await trusted(round) == ["a.org", "b.org"], "round \(round)")
            let left = try FileManager.default.contentsOfDirectory(atPath: scratch.path("config-\(round)"))
            #expect(left == ["trusted"], "round \(round)")
        }
    }

    @Test("A new key is reported once: the kiosk's, the operator's, the backup's")
    func keys() async throws {
        for round in 0..<Self.rounds {
            for command in [
                ["fleet", "number"] + places(round), ["fleet", "operator-key", scratch.path("operator-\(round)")],
                ["backup-key", scratch.path("backup-\(round)")],
            ] {
                let runs = try await pair(command, command)
                let kept = try await kiosk.run(command)
                #expect(runs.one.status == 0 && runs.other.status == 0, "\(runs)")
                func isKept(_ run: Program.Run) -> Bool {
                    run.output.split(separator: "\n").dropFirst() == kept.output.split(separator: "\n").dropFirst()
                }
                // The first line says which of the two created it.
                #expect(isKept(runs.one) && isKept(runs.other), "round \(round): \(runs), then \(kept)")
                if command[0] == "fleet", command[1] == "number" {
                    #expect(runs.one.output == kept.output && runs.other.output == kept.output)
                }
            }
        }
    }

    @Test("The later of two profiles counts completely, and the kiosk has an operator")
    func twoProfiles() async throws {
        let owner = try await TestOperator(in: scratch)
        try await owner.card("older", settings: "screen: {language: de}\n").expect(0)
        try await Scratch.nextSecond()
        try await owner.card("newer", settings: "screen: {language: fr}\n").expect(0)
        let (older, newer) = (scratch.path("older"), scratch.path("newer"))
        for round in 0..<Self.rounds {
            let from = ["--from", owner.number] + places(round)
            let runs = try await pair(["fleet", "apply", older] + from, ["fleet", "apply", newer] + from)
            // The older one came first, or was refused.
            #expect([0, 65].contains(runs.one.status) && runs.other.status == 0, "round \(round): \(runs)")
            let check = try await kiosk.run(["config", "check"] + places(round))
            #expect(check.status == 0, "round \(round): \(check)")
            let settings = try await kiosk.run(["config", "show"] + places(round))
            #expect(
                settings.output.split(separator: "\n").contains {
                    $0.hasPrefix("screen.language ") && $0.contains(" fr ")
                }, "round \(round)")
            let folder = scratch.path("config-\(round)/profile")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 2, "round \(round)")
        }
    }

    @Test(
        "A profile without its folder is reported, refuses other operators, and is repaired by its operator's next one")
    func aProfileThatIsGone() async throws {
        func apply(_ fleetOperator: TestOperator, _ options: [String]) async throws -> Program.Run {
            try await fleetOperator.card("profile", settings: "screen: {language: de}\n").expect(0)
            return try await kiosk.run(["fleet", "apply", scratch.path("profile")] + options + places(0))
        }
        let owner = try await TestOperator(in: scratch)
        try await apply(owner, ["--from", owner.number]).expect(0)
        let folder = scratch.path("config-0/profile")
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name != "current" {
            try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        }
        try await kiosk.run(["config", "check"] + places(0)).expect(78, "the current profile is gone")
        try await kiosk.run(["doctor"] + places(0)).expect(1, output: "the current profile is gone")
        try await kiosk.run(["run"] + places(0)).expect(78, "fleet apply")

        let stranger = try await TestOperator("stranger.key", in: scratch)
        try await apply(stranger, ["--from", owner.number]).expect(65, "not signed by this kiosk's operator")
        try await Scratch.nextSecond()
        try await apply(owner, []).expect(0)
        try await kiosk.run(["config", "check"] + places(0)).expect(0)
    }

    @Test("A command that cannot get the lock says so, and can be repeated")
    func aLockThatIsHeld() async throws {
        try await kiosk.run(["trust", "add", "a.org"] + places(0)).expect(0)
        let lock = scratch.path("config-0/.trusted.lock")
        #expect(FileManager.default.createFile(atPath: lock, contents: nil, attributes: [.posixPermissions: 0o600]))
        let descriptor = unsafe open(lock, O_RDWR | O_CLOEXEC)
        defer { close(descriptor) }
        #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        try await kiosk.run(["trust", "add", "b.org"] + places(0)).expect(75, "hint: wait until that command")
        #expect(try await trusted(0) == ["a.org"])
        flock(descriptor, LOCK_UN)
        try await kiosk.run(["trust", "add", "b.org"] + places(0)).expect(0)
    }
}
