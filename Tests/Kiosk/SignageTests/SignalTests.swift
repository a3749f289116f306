// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import ScreenTestKit
import KioskTestKit
import Synchronization
import Testing
@testable import Signage

@Suite("The signals of lamps and buzzer")
struct SignalTests {
    /// The levels of a timeline, each with its beginning in milliseconds after the first view.
    static func transcript(_ timeline: SignalTimeline, from start: Duration = .zero, length: Duration) -> String {
        var now = start
        var words: [String] = []
        while now - start < length {
            let (level, changesIn) = timeline.level(at: now)
            words.append("\((now - start) / .milliseconds(1)) \(name(level))")
            guard let changesIn else { break }
            now += changesIn
        }
        return words.joined(separator: ", ")
    }

    static func name(_ level: SignalLevel) -> String {
        let names: [(SignalLevel, String)] = [(.green, "green"), (.red, "red"), (.buzzer, "buzzer")]
        let parts = names.filter { level.contains($0.0) }.map(\.1)
        return parts.isEmpty ? "dark" : parts.joined(separator: "+")
    }

    @Test(arguments: [
        (["scan"], "0.0 green, 100.0 dark, 3000.0 green, 3100.0 dark"),
        (["scan", "connecting"], "0.0 green+buzzer, 80.0 green, 300.0 green, 550.0 dark, 800.0 green, 1050.0 dark"),
        (["scan", "consent"], "0.0 green+buzzer, 80.0 green, 300.0 green+red+buzzer, 360.0 green+red"),
        (["consent"], "0.0 green+red+buzzer, 60.0 green+red"),
        (["success"], "0.0 green+buzzer, 90.0 green, 180.0 green+buzzer, 270.0 green"),
        (["session expired"], "0.0 red+buzzer, 600.0 red"),
        (["first run"], "0.0 red, 100.0 dark, 1000.0 red, 1100.0 dark"),
    ])
    func patterns(views: [String], wanted: String) {
        var timeline = SignalTimeline()
        for name in views { timeline.follow(SampleViews.view(name), at: .zero) }
        let heard = Self.transcript(timeline, length: .seconds(10))
        #expect(heard.hasPrefix(wanted), "\(heard)")
    }

    @Test func everySignalCanBeTold() {
        var seen: Set<String> = []
        for signal in Signal.allCases {
            let pattern = signal.pattern
            var now = Duration.zero
            var words = ""
            while now < .seconds(4), let (level, length) = pattern.level(after: now) {
                words += " \(now)\(Self.name(level))"
                guard let length else { break }
                #expect(length > .zero)
                now += length
            }
            #expect(seen.insert(words).inserted, "\(signal) is like another")
        }
    }

    /// The signal may tell that a key was pressed, never which.
    @Test func everyDigitSoundsAndLooksTheSame() {
        var heard: Set<String> = []
        for count in 0..<6 {
            var timeline = SignalTimeline()
            var view = KioskView(.pin, .ask, title: Prompt(.pinTitle), entry: .masked(count: count, capacity: 6))
            timeline.follow(view, at: .zero)
            // The view shows only that there is one digit more.
            view.entry = .masked(count: count + 1, capacity: 6)
            timeline.follow(view, at: .seconds(1))
            heard.insert(Self.transcript(timeline, from: .seconds(1), length: .seconds(2)))
        }
        #expect(heard == ["0.0 buzzer, 20.0 dark, 80.0 green+red"], "the question's own sound is not repeated")
    }

    @Test func aViewThatChangesNothingInterruptsNothing() {
        var timeline = SignalTimeline()
        var view = SampleViews.view("scan")
        timeline.follow(view, at: .zero)
        view.hint = Prompt(.hintBlurred)
        timeline.follow(view, at: .seconds(1))
        #expect(
            Self.transcript(timeline, from: .seconds(1), length: .seconds(3)) == "0.0 dark, 2000.0 green, 2100.0 dark")
    }

    @Test func theLightsFollowTheClockAndGoOutAtTheEnd() async {
        let clock = ManualClock()
        let lamps = RecordedLamps()
        let lights = SignalLights(output: lamps, clock: clock) { _ in Issue.record("a complaint") }
        await lights.show(SampleViews.view("session expired"))
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await lights.run() }
            #expect(await lamps.next() == [.red, .buzzer])
            await clock.waitForSleepers()
            clock.advance(by: .milliseconds(600))
            #expect(await lamps.next() == .red)
            await lights.show(SampleViews.view("scan"))
            #expect(await lamps.next() == .green)
            group.cancelAll()
        }
        #expect(await lamps.next() == [])
    }

    @Test func aDeviceThatIsGoneIsReportedOnce() async {
        let lamps = RecordedLamps(isBroken: true)
        let complaints = Mutex<[String]>([])
        let lights = SignalLights(output: lamps, clock: ManualClock()) { text in complaints.withLock { $0.append(text) }
        }
        await lights.show(SampleViews.view("scan"))
        await lights.run()
        await lights.show(SampleViews.view("PIN"))
        #expect(complaints.withLock { $0 } == ["Gone()"])
    }
}
