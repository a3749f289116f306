// SPDX-License-Identifier: Apache-2.0

import Keypads
import KioskPorts
import KioskTestKit
import Testing

@Suite("Several keypads at once", .timeLimit(.minutes(10)))
struct MergedKeypadTests {
    private let one = FakeKeypad()
    private let other = FakeKeypad()

    @Test func whicheverIsPressedCounts() async {
        var presses = MergedKeypad([one, other]).presses().makeAsyncIterator()
        one.press(.digit(1))
        #expect(await presses.next() == KeyPress(.digit(1)))
        other.press(.digit(2))
        #expect(await presses.next() == KeyPress(.digit(2)))
        one.end()
        other.press(.enter)
        #expect(await presses.next() == KeyPress(.enter))
        other.end()
        #expect(await presses.next() == nil)
    }

    @Test func oneThatIsMissingIsToldOnceAndTheOtherWorks() async {
        var reports = MergedKeypad([one, other]).reports().makeAsyncIterator()
        one.report(.unavailable("gone"))
        #expect(await reports.next() == .trouble("gone"))
        other.press(.digit(1))
        #expect(await reports.next() == .pressed(KeyPress(.digit(1))))
        other.report(.unavailable("gone, too"))
        #expect(await reports.next() == .unavailable("gone, too"))
        one.report(.available)
        #expect(await reports.next() == .available)
        other.report(.available)
        // The key that follows shows that the report was read: the keypads are read independently.
        other.press(.digit(3))
        #expect(await reports.next() == .pressed(KeyPress(.digit(3))))
        one.report(.keysLost("lost"))
        #expect(await reports.next() == .keysLost("lost"))
        one.end()
        #expect(await reports.next() == .trouble("a keypad has ended"))
        other.report(.unavailable("gone again"))
        #expect(await reports.next() == .unavailable("gone again"))
    }
}
