// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import Testing

@testable import Signage

@Suite("A picture in characters") struct CharacterPictureTests {
    private func picture(_ luma: (_ x: Int, _ y: Int) -> UInt8) throws -> PreviewPicture {
        let (width, height) = (PreviewPicture.width, PreviewPicture.height)
        return try #require(
            PreviewPicture(luma: (0..<height).flatMap { y in (0..<width).map { x in luma(x, y) } }))
    }

    @Test func darkIsEmptyAndLightIsFull() throws {
        let drawn = CharacterPicture(try picture { x, _ in x < 160 ? 0 : 255 }, columns: 8, rows: 2)
        #expect(drawn.lines == ["    @@@@", "    @@@@"] && drawn.light == 50)
    }

    @Test("The same edges have a higher focus when they are sharp")
    func focus() throws {
        func edges(over width: Int) throws -> Int {
            let picture = try picture { x, _ in
                let place = abs(x % 80 - 40)
                return UInt8(min(max((place - 20) * 255 / width + 128, 0), 255))
            }
            return CharacterPicture(picture, columns: 1, rows: 1).focus
        }
        let (sharp, soft, blurred) = (try edges(over: 1), try edges(over: 8), try edges(over: 40))
        #expect(sharp > soft && soft > blurred)
        #expect(CharacterPicture(try picture { _, _ in 90 }, columns: 3, rows: 3).focus == 0)
    }

    @Test("Any size is drawn", arguments: [(0, 0), (1, 1), (20, 3), (79, 18), (1000, 1000)])
    func sizes(_ columns: Int, _ rows: Int) throws {
        let drawn = CharacterPicture(try picture { x, y in UInt8((x + y) % 256) }, columns: columns, rows: rows)
        #expect(drawn.lines.count == min(max(rows, 1), PreviewPicture.height))
        #expect(drawn.lines.allSatisfy { $0.count == min(max(columns, 1), PreviewPicture.width) })
    }
}
