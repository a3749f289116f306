// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import Testing

@Suite("Pages of a document fit the present screen")
struct DocumentRoomTests {
    private static func measured(_ visit: Visit, _ room: DocumentPageSize?) -> Visit {
        visit.after { machine in
            machine.screenMeasured(documentRoom: room, leavesFactsOut: false)
            return []
        }
    }

    /// The second template has 25 lines.
    private static func reading(in room: DocumentPageSize?) -> Visit {
        measured(SigningTests.choosing(), room).play("key 2 enter")
    }

    @Test(arguments: [(2, 13), (10, 3), (24, 2), (25, 1)])
    func pagesAreAsLargeAsTheScreen(rows: Int, count: Int) {
        let document = Self.reading(in: DocumentPageSize(columns: 30, rows: rows)).view.document
        #expect(document?.count == count && document?.lines.count == rows)
    }

    @Test func aScannedSessionHasThemToo() {
        let read = Self.measured(SigningTests.consent("1\n2\n3"), DocumentPageSize(columns: 20, rows: 2))
            .play("key enter; answer signerRead signer")
        #expect(read.view.document?.count == 2)
    }

    @Test func withoutRoomNothingIsSigned() {
        Self.reading(in: nil).play("wait outcome, title documentNeedsRoom, lines nextTellOperator")
        Self.measured(SigningTests.consent(), nil)
            .play("key enter; answer signerRead signer -> abort, closeSession notOffered, no cancelStep")
    }

    /// Text on a larger page may not have been read, even if it was the last page.
    @Test(arguments: [0, 1, 2])
    func aScreenThatShrinksIsReadAnew(page: Int) {
        let read = Self.reading(in: .standard).play(["", "key enter", "key enter enter"][page])
        for key in ["enter", "menu", "back"] where !(key == "menu" && page == 2) && !(key == "back" && page == 0) {
            let again = Self.measured(read, DocumentPageSize(columns: 80, rows: 9)).play("key \(key)")
            #expect(again.view.document?.number == 1 && again.view.document?.lines.count == 9, "\(key)")
        }
        Self.measured(read, nil).play("key enter; wait outcome, title documentNeedsRoom")
    }

    @Test func aScreenThatGrowsChangesNothing() {
        let grown = Self.measured(Self.reading(in: .standard), DocumentPageSize(columns: 80, rows: 40)).play(
            "key enter")
        #expect(grown.view.document?.number == 2 && grown.view.document?.lines.count == 10)
    }
}
