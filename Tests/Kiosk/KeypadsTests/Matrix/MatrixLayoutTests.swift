// SPDX-License-Identifier: Apache-2.0

import Keypads
import KioskPorts
import Testing

@Suite("The layout of a pad")
struct MatrixLayoutTests {
    @Test(arguments: [
        ("123/456/789/*0#", ["#", "hold *", "*", ""]), ("123A/456B/789C/*0#D", ["#", "C", "*", "A"]),
        ("123/456/789/B0D", ["D", "hold B", "B", ""]), ("123/456/789/.0#", ["#", "", "", ""]),
    ])
    func keysAreNamedByTheirSigns(text: String, names: [String]) throws {
        let layout = try #require(MatrixLayout(text))
        let keys: [Key] = [.enter, .clear, .back, .menu]
        #expect(
            keys.map { key in
                layout.keyNames.names(of: key).map { $0.isHeld ? "hold \($0.text)" : $0.text }.joined(separator: "/")
            } == names)
    }

    @Test func theUsualPads() throws {
        let small = try #require(MatrixSize(rows: 4, columns: 3).flatMap(MatrixLayout.init(usualFor:)))
        #expect(small.description == "123/456/789/*0#")
        let keys = small.size.positions.map { small.key(at: $0) }
        #expect(keys == [1, 2, 3, 4, 5, 6, 7, 8, 9].map { .digit($0) } + [.back, .digit(0), .enter])
        let large = try #require(MatrixSize(rows: 4, columns: 4).flatMap(MatrixLayout.init(usualFor:)))
        #expect((0..<4).map { large.key(at: MatrixPosition(row: $0, column: 3)) } == [.menu, .back, .clear, .enter])
        #expect(MatrixSize(rows: 5, columns: 4).flatMap(MatrixLayout.init(usualFor:)) == nil)
    }

    @Test func aPlaceWithoutAKey() throws {
        let layout = try #require(MatrixLayout("12/.0"))
        #expect(layout.key(at: MatrixPosition(row: 1, column: 0)) == nil)
        #expect(layout.key(at: MatrixPosition(row: 2, column: 0)) == nil)
    }

    @Test(arguments: ["", "/", "12/3", "1x", "12/34/", "٣", String(repeating: "1", count: 17)])
    func mistakesAreRefused(_ text: String) {
        #expect(MatrixLayout(text) == nil)
    }

    /// No report contains a key's position, because a log may keep it while a PIN is typed.
    @Test func whatIsReported() throws {
        let layout = try #require(MatrixLayout("123/456/789/*0#"))
        let back = MatrixPosition(row: 3, column: 0)
        #expect(layout.report(of: .pressed(back)) == .pressed(KeyPress(.back)))
        #expect(layout.report(of: .held(back)) == .pressed(KeyPress(.clear)))
        let five = MatrixPosition(row: 1, column: 1)
        #expect(layout.report(of: .held(five)) == nil)
        #expect(layout.report(of: .refused) == .keysLost("several keys were pressed at once"))
        #expect(
            layout.report(of: .stuck(five)) == .trouble("a key has been down for 10 s and is not heard any more"))
        #expect(layout.report(of: .freed(five)) == .trouble("the key that was stuck is released"))
    }
}
