// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import Testing

@Suite("Pages of a document fit the present screen")
struct DocumentRoomTests {
    /// The second template has 25 lines.
    private static func reading(in room: DocumentPageSize?) -> KioskMachine {
        var machine = KioskMachine.choosingDocument()
        machine.screenMeasured(documentRoom: room, leavesFactsOut: false)
        _ = machine.keyPressed(.digit(2))
        _ = machine.keyPressed(.enter)
        return machine
    }

    @Test(arguments: [(2, 13), (10, 3), (24, 2), (25, 1)])
    func pagesAreAsLargeAsTheScreen(rows: Int, count: Int) {
        let machine = Self.reading(in: DocumentPageSize(columns: 30, rows: rows))
        #expect(machine.view.document?.count == count && machine.view.document?.lines.count == rows)
    }

    @Test func aScannedSessionHasThemToo() {
        var machine = KioskMachine.consentingToSign(
            SigningRequest(description: Samples.document("1\n2\n3"), hash: Samples.hash))
        machine.screenMeasured(documentRoom: DocumentPageSize(columns: 20, rows: 2), leavesFactsOut: false)
        _ = machine.keyPressed(.enter)
        _ = machine.stepEnded(.success(.signerRead(KioskMachine.signer(.withPIN))), session: .one)
        #expect(machine.view.document?.count == 2)
    }

    @Test func withoutRoomNothingIsSigned() {
        var machine = Self.reading(in: nil)
        #expect(machine.view.stage == .outcome && machine.view.title == Prompt(.documentNeedsRoom))
        #expect(machine.view.lines == [Prompt(.nextTellOperator)])
        machine = .consentingToSign(SigningRequest(description: Samples.document("A lease"), hash: Samples.hash))
        machine.screenMeasured(documentRoom: nil, leavesFactsOut: false)
        _ = machine.keyPressed(.enter)
        let actions = machine.stepEnded(.success(.signerRead(KioskMachine.signer(.withPIN))), session: .one)
        #expect(actions.contains(.closeSession(.one, .notOffered)) && actions.contains(.abort(.one)))
        #expect(!actions.contains(.cancelStep(.one)))
    }

    /// Text on a larger page may not have been read, even if it was the last page.
    @Test(arguments: [0, 1, 2])
    func aScreenThatShrinksIsReadAnew(page: Int) {
        for key in [Key.enter, .menu, .back] {
            var machine = Self.reading(in: .standard)
            for _ in 0..<page { _ = machine.keyPressed(.enter) }
            machine.screenMeasured(documentRoom: DocumentPageSize(columns: 60, rows: 9), leavesFactsOut: false)
            if key == .menu, page == 2 { continue }
            if key == .back, page == 0 { continue }
            _ = machine.press(key)
            #expect(machine.view.document?.number == 1 && machine.view.document?.lines.count == 9, "\(key)")
        }
        var machine = Self.reading(in: .standard)
        for _ in 0..<page { _ = machine.keyPressed(.enter) }
        machine.screenMeasured(documentRoom: nil, leavesFactsOut: false)
        _ = machine.keyPressed(.enter)
        #expect(machine.view.stage == .outcome && machine.view.title == Prompt(.documentNeedsRoom))
    }

    @Test func aScreenThatGrowsChangesNothing() {
        var machine = Self.reading(in: .standard)
        machine.screenMeasured(documentRoom: DocumentPageSize(columns: 80, rows: 40), leavesFactsOut: false)
        _ = machine.keyPressed(.enter)
        #expect(machine.view.document?.number == 2 && machine.view.document?.lines.count == 10)
    }
}
