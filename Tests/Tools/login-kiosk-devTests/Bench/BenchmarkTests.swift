// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import login_kiosk_dev

struct BenchmarkTests {
    private struct Failure: Error {}

    /// The order and amounts of work.
    private final class Diary {
        var entries: [(who: String, count: Int)] = []
        private var number: UInt64 = 1

        func work(_ who: String) -> Benchmark.Work {
            { count in
                self.entries.append((who, count))
                for _ in 0..<count { self.number = self.number &* 6_364_136_223_846_793_005 &+ 1 }
            }
        }
    }

    @Test
    func oursAndTheReferenceTakeTurns() throws {
        let diary = Diary()
        let benchmark = Benchmark(
            name: "ours", ours: diary.work("A"), reference: .init(name: "B", work: diary.work("B")))
        let measurement = try benchmark.measure()
        #expect(measurement.name == "ours" && measurement.reference == "B")
        #expect(measurement.ours.median > 0)
        // After the batches that find the size, 61 pairs: A B, B A, A B, ...
        let timed = diary.entries.suffix(122)
        let order = timed.map(\.who).joined()
        #expect(order == String(repeating: "ABBA", count: 30) + "AB")
        for who in ["A", "B"] { #expect(Set(timed.filter { $0.who == who }.map(\.count)).count == 1) }
    }

    @Test
    func aFailureIsNoFigure() {
        let benchmark = Benchmark(
            name: "fails", ours: { _ in throw Failure() }, reference: .init(name: "", work: { _ in }))
        #expect(throws: Failure.self) { try benchmark.measure() }
    }

    @Test
    func everyGroupHasAnotherName() {
        #expect(Set(BenchmarkGroup.all.map(\.name)).count == BenchmarkGroup.all.count)
    }

    /// The timed work of server and client is a login that succeeds.
    @Test
    func theExampleWorks() throws {
        let login = try LoginExample()
        try login.prove(1)
        try login.verify(1)
        let curve = try OpenSSLCurve()
        try curve.multiplyPoint(1)
        try curve.multiplyFieldElements(1)
    }
}
