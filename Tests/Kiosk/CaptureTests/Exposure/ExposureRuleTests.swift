// SPDX-License-Identifier: Apache-2.0

import CV4L2
import KioskPorts
import Patience
import Testing
@testable import Capture

@Suite("The exposure is varied while a code's corners are in bad light") struct ExposureRuleTests {
    /// Views and how often each is seen in a row.
    private func shifts(_ views: [(CodeView, Int)]) -> [Int?] {
        var rule = ExposureRule()
        return views.flatMap { view, count in (0..<count).map { _ in rule.next(after: view) } }
    }

    /// Values and how often each comes in a row.
    private func runs(_ shifts: [Int?]) -> [String] {
        var runs: [(shift: Int?, count: Int)] = []
        for shift in shifts {
            if let last = runs.last, last.shift == shift {
                runs[runs.count - 1].count += 1
            } else {
                runs.append((shift, 1))
            }
        }
        return runs.map { "\($0.shift.map(String.init) ?? "own") x \($0.count)" }
    }

    private static let bright = CodeView.corners(.tooBright)
    private static let dark = CodeView.corners(.tooDark)
    private static let right = CodeView.corners(.right)

    @Test(arguments: [
        ("no code", [(CodeView.nothing, 50)], ["own x 50"]),
        ("good light", [(right, 500)], ["own x 500"]),
        ("a glance", [(bright, 19), (.nothing, 1), (bright, 19), (right, 1), (dark, 19)], ["own x 59"]),
        ("a code that is read", [(bright, 19), (.read, 1), (bright, 19)], ["own x 39"]),
        ("too bright", [(bright, 37)], ["own x 19", "-2 x 6", "1 x 6", "-3 x 6"]),
        ("too dark", [(dark, 37)], ["own x 19", "2 x 6", "-2 x 6", "3 x 6"]),
        ("read in the third frame", [(bright, 22), (.read, 10)], ["own x 19", "-2 x 3", "own x 10"]),
        (
            "corners that some exposures hide", [(bright, 22), (.nothing, 20), (right, 1), (.nothing, 10)],
            ["own x 19", "-2 x 6", "1 x 6", "-3 x 6", "-1 x 6", "-2 x 6", "1 x 4"]
        ),
        (
            "corners that are gone for a round", [(dark, 20), (.nothing, 60)],
            ["own x 19", "2 x 6", "-2 x 6", "3 x 6", "1 x 6", "own x 37"]
        ),
    ])
    func theShiftFollowsTheViews(_ name: String, views: [(CodeView, Int)], expected: [String]) {
        #expect(runs(shifts(views)) == expected, "\(name)")
    }

    /// Such as a poster that nobody takes away.
    @Test func cornersForEverLeaveTheRegulationMoreThanHalfOfTheTime() {
        let all = shifts([(Self.dark, 10_000)])
        #expect(all.filter { $0 == nil }.count > 5000)
        let longest = all.split(separator: nil).map(\.count).max()
        #expect(longest == ExposureRule.rounds * 4 * ExposureRule.hold)
    }

    /// Whatever is seen: after a code was read, and within a series' length, the regulation has the exposure.
    @Test func noViewsKeepTheExposureForEver() {
        var random = SplitMix64(seed: 7)
        var rule = ExposureRule()
        var run = 0
        for _ in 0..<50_000 {
            let views = [.nothing, Self.right, Self.bright, Self.dark, .read]
            let view = views[Int.random(in: views.indices, using: &random)]
            let shift = Int.random(in: 0..<40, using: &random) == 0 ? rule.next(after: .read) : rule.next(after: view)
            run = shift == nil ? 0 : run + 1
            #expect(run <= ExposureRule.rounds * 4 * ExposureRule.hold)
            if let shift { #expect(abs(shift) <= 3) }
        }
        #expect(rule.next(after: .read) == nil)
    }
}

@Suite("A shift in stops becomes values of the controls that a camera has") struct ExposureReadingTests {
    private typealias Control = ExposureReading.Control

    private static func mode(_ value: Int) -> Control { Control(id: 1, minimum: 0, maximum: 3, value: value) }
    private static func exposure(_ value: Int, step: Int = 1) -> Control {
        Control(id: 2, minimum: 3, maximum: 2047, step: step, value: value)
    }
    private static func autoGain(_ value: Int) -> Control { Control(id: 3, minimum: 0, maximum: 1, value: value) }
    private static let gain = Control(id: 4, minimum: 0, maximum: 240, value: 60)
    private static let brightness = Control(id: 5, minimum: -64, maximum: 64, value: 0)

    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var reading: ExposureReading
        /// The settings for -2, 1 and 3 stops: control and value.
        var values: [String]
        var testDescription: String { name }
    }

    @Test(arguments: [
        Case(
            name: "exposure alone", reading: ExposureReading(mode: mode(3), exposure: exposure(160)),
            values: ["2=40", "2=320", "2=333"]),
        Case(
            name: "a camera that may film more slowly",
            reading: ExposureReading(mode: mode(0), exposure: exposure(160), maySlowDown: true),
            values: ["2=40", "2=320", "2=666"]),
        Case(
            name: "gain gives what the exposure cannot",
            reading: ExposureReading(mode: mode(3), exposure: exposure(160), gain: gain),
            values: ["2=40 4=60", "2=320 4=60", "2=333 4=118"]),
        Case(
            name: "an exposure that is the shortest already",
            reading: ExposureReading(mode: mode(3), exposure: exposure(3), gain: gain),
            values: ["2=3 4=0", "2=6 4=60", "2=24 4=60"]),
        Case(
            name: "an exposure that is longer than a picture takes",
            reading: ExposureReading(mode: mode(3), exposure: exposure(1000)), values: ["2=250", "2=1000", "2=1000"]),
        Case(
            name: "steps", reading: ExposureReading(mode: mode(3), exposure: exposure(153, step: 50)),
            values: ["2=53", "2=303", "2=353"]),
        Case(
            name: "gain that the camera regulates by itself",
            reading: ExposureReading(autoGain: autoGain(1), gain: gain, brightness: brightness),
            values: ["4=0", "4=90", "4=150"]),
        Case(
            name: "nothing but brightness", reading: ExposureReading(brightness: brightness),
            values: ["5=-32", "5=16", "5=48"]),
        Case(
            name: "an exposure that somebody has set",
            reading: ExposureReading(mode: mode(1), exposure: exposure(160), gain: gain, brightness: brightness),
            values: ["", "", ""]),
        Case(
            name: "a shutter that somebody has set", reading: ExposureReading(mode: mode(2), exposure: exposure(160)),
            values: ["", "", ""]),
        Case(
            name: "a gain that somebody has set",
            reading: ExposureReading(autoGain: autoGain(0), gain: gain, brightness: brightness), values: ["", "", ""]),
        Case(
            name: "an exposure of nothing",
            reading: ExposureReading(
                mode: mode(3), exposure: Control(id: 2, minimum: 0, maximum: 10, value: 0)), values: ["", "", ""]),
        Case(name: "no control", reading: ExposureReading(), values: ["", "", ""]),
    ])
    func valuesAreTheNearest(_ it: Case) {
        let found = [-2, 1, 3].map { stops in
            it.reading.settings(for: stops).map { "\($0.id)=\($0.value)" }.joined(separator: " ")
        }
        #expect(found == it.values)
        #expect(it.reading.isVariable == !it.values[0].isEmpty)
        #expect(it.reading.isVariable || it.reading.takeover.isEmpty && it.reading.handBack.isEmpty)
    }

    /// Ranges of a driver that lies reach as far as their numbers do.
    @Test func extremeRangesAreNoOverflow() {
        for value in [1, Int(Int32.max) - 1, Int(Int32.max)] {
            for step in [0, 1, Int(Int32.max)] {
                let wild = Control(id: 9, minimum: Int(Int32.min), maximum: Int(Int32.max), step: step, value: value)
                let reading = ExposureReading(
                    mode: Self.mode(3), exposure: wild, autoGain: Self.autoGain(1), gain: wild)
                for stops in [-3, -1, 0, 1, 3, 1000, -1000] {
                    for setting in reading.settings(for: stops) { #expect(setting.id == 9) }
                }
            }
        }
    }

    @Test func whatTheRegulationGovernsIsGivenBackBeforeItIsOn() {
        let both = ExposureReading(
            mode: Self.mode(3), exposure: Self.exposure(160), autoGain: Self.autoGain(1), gain: Self.gain)
        #expect(both.takeover.map { "\($0.id)=\($0.value)" } == ["1=1", "3=0"])
        #expect(both.handBack.map { "\($0.id)=\($0.value)" } == ["2=160", "4=60", "3=1", "1=3"])
        #expect(both.handBack.map(\.kind) == [.chosenAgain, .chosenAgain, .regulation, .regulation])
    }
}
