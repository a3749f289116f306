// SPDX-License-Identifier: Apache-2.0

import Foundation
import Patience
import Testing

@testable import MetricsService

/// The counted values, and the text for Prometheus.
@Suite struct MetricTextTests {
    enum Outcome: String, MetricLabel { case good, bad }

    /// Every kind of metric, with values.
    static func sample() -> [any Metric] {
        let counter = Counter("door_opened_total", "How often the \"door\" was opened.\nAnd \\ closed.")
        counter.add()
        counter.add(2)
        let sessions = LabelledCounter<Outcome>("sessions_total", label: "outcome", "Sessions by outcome.")
        sessions.add(.bad)
        let gauge = Gauge("heat_celsius", "How warm it is.")
        gauge.set(48.25)
        let state = StateGauge<Outcome>("state", label: "is", "How it is.")
        state.set(.good)
        let doors = LabelledGauge<Outcome>("door_open", label: "door", "Which doors are open.")
        doors.set(0, for: .bad)
        let times = Histogram("session_seconds", bounds: [0.5, 1, 10], "How long sessions take.")
        for value in [0.5, 0.6, 3, 99] { times.observe(value) }
        return [
            counter, sessions, gauge, Gauge("unknown_volts", "Never known."), state, doors, times,
            ConstantLabels("build_info", label: "version", value: "1.0 \"a\\b\"\nc", "What was built."),
            Gauge("read_ratio", "Asked each time.") { 1 / 3 },
        ]
    }

    @Test func everyKindAsPrometheusReadsIt() {
        #expect(
            MetricText.text(of: Self.sample()) == #"""
                # HELP door_opened_total How often the "door" was opened.\nAnd \\ closed.
                # TYPE door_opened_total counter
                door_opened_total 3
                # HELP sessions_total Sessions by outcome.
                # TYPE sessions_total counter
                sessions_total{outcome="good"} 0
                sessions_total{outcome="bad"} 1
                # HELP heat_celsius How warm it is.
                # TYPE heat_celsius gauge
                heat_celsius 48.25
                # HELP state How it is.
                # TYPE state gauge
                state{is="good"} 1
                state{is="bad"} 0
                # HELP door_open Which doors are open.
                # TYPE door_open gauge
                door_open{door="bad"} 0
                # HELP session_seconds How long sessions take.
                # TYPE session_seconds histogram
                session_seconds_bucket{le="0.5"} 1
                session_seconds_bucket{le="1"} 2
                session_seconds_bucket{le="10"} 3
                session_seconds_bucket{le="+Inf"} 4
                session_seconds_sum 103.1
                session_seconds_count 4
                # HELP build_info What was built.
                # TYPE build_info gauge
                build_info{version="1.0 \"a\\b\"\nc"} 1
                # HELP read_ratio Asked each time.
                # TYPE read_ratio gauge
                read_ratio 0.3333333333333333

                """#)
    }

    @Test(
        arguments: [
            (0, "0"), (-3, "-3"), (1e300, "1e+300"), (.infinity, "+Inf"), (-.infinity, "-Inf"), (.nan, "NaN"),
            (0.1, "0.1"), (123_456_789_012, "123456789012"),
        ] as [(Double, String)])
    func numbers(value: Double, text: String) { #expect(MetricText.number(value) == text) }

    /// Buckets count all values up to their bound, in any order of values.
    @Test func bucketsCumulate() {
        var chance = SplitMix64(seed: 3)
        let bounds = [0.1, 1, 2.5, 60]
        let histogram = Histogram("a_seconds", bounds: bounds, "A.")
        let values = (0..<1000).map { _ in Double.random(in: 0...100, using: &chance) }
        for value in values { histogram.observe(.seconds(value)) }
        histogram.observe(Double.nan)
        let samples = histogram.samples()
        for (bound, sample) in zip(bounds + [.infinity], samples) {
            // A duration is a whole number of attoseconds, which differs from the drawn value by a fraction of one.
            let count = Double(values.filter { $0 <= bound }.count)
            #expect(sample.value == count)
        }
        #expect(samples.last?.value == 1000)
    }

    @Test func manyCountAtOnce() async {
        let counter = Counter("a_total", "A."), labelled = LabelledCounter<Outcome>("b_total", label: "is", "B.")
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    for _ in 0..<200 {
                        counter.add()
                        labelled.add(.good)
                    }
                }
            }
        }
        #expect(counter.value == 10_000 && labelled[.good] == 10_000 && labelled[.bad] == 0)
    }

    private static let checker = "/usr/bin/promtool"

    /// Prometheus's own tool, from Debian's package `prometheus`.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: checker), "no promtool: apt install prometheus"))
    func prometheusAccepts() throws {
        let program = Process()
        program.executableURL = URL(filePath: Self.checker)
        program.arguments = ["check", "metrics"]
        let (input, output) = (Pipe(), Pipe())
        program.standardInput = input
        program.standardOutput = output
        program.standardError = output
        try program.run()
        try input.fileHandleForWriting.write(contentsOf: Data(MetricText.text(of: Self.sample()).utf8))
        try input.fileHandleForWriting.close()
        let said = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        program.waitUntilExit()
        #expect(program.terminationStatus == 0, "\(said)")
    }
}
