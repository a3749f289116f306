// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import KioskTestKit
import Patience
import Testing
@testable import Keypads

@Suite("A pad at GPIO lines", .timeLimit(.minutes(10)))
struct GPIOMatrixKeypadTests {
    /// Everything up to the next OK.
    private static func next(_ reports: inout AsyncStream<KeypadReport>.Iterator) async -> [KeypadReport] {
        var seen: [KeypadReport] = []
        while let report = await reports.next(), report != .pressed(KeyPress(.enter)) { seen.append(report) }
        return seen
    }

    private static func digits(_ text: String) -> [KeypadReport] {
        text.compactMap { $0.wholeNumberValue.map { .pressed(KeyPress(.digit(UInt8($0)))) } }
    }

    @Test(arguments: [(true, RowDrive.switched), (false, .switched), (true, .open), (false, .open)])
    func keysAreHeardInEveryWayOfWiring(_ isActiveLow: Bool, _ drive: RowDrive) async throws {
        let rig = try PadRig(isActiveLow: isActiveLow, drive: drive)
        var reports = rig.keypad.reports().makeAsyncIterator()
        rig.type("1234567890*#", bounces: 4)
        let seen = await Self.next(&reports)
        #expect(seen == [.available] + Self.digits("1234567890") + [.pressed(KeyPress(.back))])
        #expect(rig.matrix.shortCircuits == 0)
    }

    @Test func everyPressIsHeardOnce() async throws {
        let rig = try PadRig()
        var reports = rig.keypad.reports().makeAsyncIterator()
        rig.type("#")
        _ = await Self.next(&reports)
        var generator = SplitMix64(seed: 5)
        for _ in 0..<20 {
            let text = String((0..<20).map { _ in "0123456789".randomElement(using: &generator) ?? "0" })
            rig.type(text + "#", bounces: Int.random(in: 0...8, using: &generator))
            #expect(await Self.next(&reports) == Self.digits(text))
        }
    }

    @Test(arguments: [RowDrive.switched, .open])
    func aKeyThatClosesWhileTheColumnsAreMadeToListenIsHeard(_ drive: RowDrive) async throws {
        let rig = try PadRig(drive: drive)
        rig.matrix.pressWhileArming(try #require(rig.position("8")), held: .milliseconds(50))
        var reports = rig.keypad.reports().makeAsyncIterator()
        #expect(await reports.next() == .available)
        #expect(await reports.next() == .pressed(KeyPress(.digit(8))))
    }

    @Test func ghostsAreRefused() async throws {
        let rig = try PadRig()
        var reports = rig.keypad.reports().makeAsyncIterator()
        #expect(await reports.next() == .available)
        for sign in ["1", "2", "4"] as [Character] { rig.matrix.set(try #require(rig.position(sign)), isClosed: true) }
        #expect(await reports.next() == .keysLost("several keys were pressed at once"))
        for sign in ["1", "2", "4"] as [Character] { rig.matrix.set(try #require(rig.position(sign)), isClosed: false) }
        rig.type("7#")
        #expect(await Self.next(&reports) == Self.digits("7"))
        #expect(rig.matrix.shortCircuits == 0)
    }

    @Test func aHeldBackKeyClears() async throws {
        let rig = try PadRig()
        var reports = rig.keypad.reports().makeAsyncIterator()
        rig.matrix.press(try #require(rig.position("*")), held: .seconds(2))
        rig.type("#")
        #expect(await Self.next(&reports) == [.available, .pressed(KeyPress(.back)), .pressed(KeyPress(.clear))])
    }

    @Test func aStuckKeyIsReportedAndTheOthersWork() async throws {
        let rig = try PadRig()
        var reports = rig.keypad.reports().makeAsyncIterator()
        #expect(await reports.next() == .available)
        rig.matrix.set(try #require(rig.position("5")), isClosed: true)
        #expect(await reports.next() == .pressed(KeyPress(.digit(5))))
        #expect(await reports.next() == .trouble("a key has been down for 10 s and is not heard any more"))
        rig.type("1#")
        #expect(await Self.next(&reports) == Self.digits("1"))
    }

    @Test func lostEdgesAreNoticedAndTheKeyIsReadAnyway() async throws {
        let rig = try PadRig()
        var reports = rig.keypad.reports().makeAsyncIterator()
        #expect(await reports.next() == .available)
        rig.matrix.loseEdges(3)
        rig.type("9#")
        #expect(await Self.next(&reports) == [.trouble("3 edges were not read in time")] + Self.digits("9"))
    }

    @Test func aChipThatIsTakenAwayIsReportedAndUsedAgain() async throws {
        let rig = try PadRig()
        var reports = rig.keypad.reports().makeAsyncIterator()
        #expect(await reports.next() == .available)
        rig.matrix.set(isGone: true)
        #expect(await reports.next() == .unavailable("fake chip: the GPIO chip is gone; put it back"))
        rig.matrix.set(isGone: false)
        #expect(await reports.next() == .available)
        rig.type("3#")
        #expect(await Self.next(&reports) == Self.digits("3"))
    }

    @Test func theLinesAreLetGoWithTheConsumer() async throws {
        let rig = try PadRig()
        do {
            var reports = rig.keypad.reports().makeAsyncIterator()
            #expect(await reports.next() == .available)
        }
        try await Patience.until { rig.matrix.heldLines == 0 }
    }

    /// Each wiring fault, and the sentence for the person who repairs it.
    @Test(
        arguments: [
            ({ @Sendable in $0.removePull(.column(1)) }, "column 2 (C2) floats"),
            ({ @Sendable in for column in 0..<3 { $0.removePull(.column(column)) } }, "no column follows"),
            ({ @Sendable in $0.connect(.row(1), .row(2)) }, "these wires touch: row 2 (R2), row 3 (R3)"),
            ({ @Sendable in $0.connect(.row(0), .column(2)) }, "row 1 (R1) and column 3 (C3) are connected"),
            ({ @Sendable in $0.tie(.column(0), isHigh: false) }, "column 1 (C1) is always active"),
            ({ @Sendable in $0.tie(.row(3), isHigh: true) }, "row 4 (R4) cannot be driven"),
        ] as [(@Sendable (FakeMatrix) -> Void, String)])
    func wrongWiringIsNamed(_ spoil: @Sendable (FakeMatrix) -> Void, _ sentence: String) async throws {
        let rig = try PadRig()
        spoil(rig.matrix)
        var reports = rig.keypad.reports().makeAsyncIterator()
        guard case .trouble(let text)? = await reports.next() else {
            Issue.record("nothing was found")
            return
        }
        #expect(text.hasPrefix(sentence))
        #expect(await reports.next() == .available)
    }

    /// A fault that no measurement finds shows in the order of the keys.
    @Test func aLooseWireIsNamedByTheKeysThatDoNotCome() async throws {
        let rig = try PadRig()
        rig.matrix.loosen(.column(1))
        var reports = rig.keypad.inspection().makeAsyncIterator()
        #expect(await reports.next() == .opened([]))
        var pressed = PressedKeys(rig.settings.layout)
        rig.type("123456789*0#")
        while pressed.positions.count < 8, let report = await reports.next() {
            if case .event(.pressed(let position)) = report { pressed.append(position) }
        }
        #expect(pressed.findings == [.silent(.column(1))])
    }
}
