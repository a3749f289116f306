// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import KioskTestKit
import LoginValues
import Testing
@testable import KioskRuntime

/// A session's secrets are wiped at its end, and late values are not stored.
@Suite struct SessionFileTests {
    private static func code(_ text: String) throws -> AccessCode { try #require(AccessCode(text)) }

    @Test func aClosedFileHasNothingAndKeepsNothing() throws {
        let file = SessionFile()
        let request = try SecretBytes(copying: Array(KioskRig.code.utf8)).withBytes {
            try LoginRequest(symbol: $0)
        }
        file.open(SessionRequest(request, isTyped: false))
        for digit in 1...4 as ClosedRange<UInt8> { file.append(digit) }
        file.completeEntry()
        file.append(5)
        file.keep(issued: FakeStepRunner.issued)
        file.keep(try Self.code("fresh1"))
        file.keep(token: FakeStepRunner.issued)
        #expect(file.digitCount == 5 && file.issuedCode.count == 6 && file.typedCode.count == 6)
        #expect(AbandonedSession(file) != nil)

        file.close()
        #expect(file.request == nil && file.ownCode == nil && AbandonedSession(file) == nil)
        #expect(file.digitCount == 0 && file.issuedCode.count == 0 && file.typedCode.count == 0)
        #expect(throws: KioskFailure.sessionIsOver) { _ = try file.takePIN() }

        // The answer to a cancelled step.
        file.keep(issued: FakeStepRunner.issued)
        file.keep(try Self.code("fresh2"))
        file.keep(token: FakeStepRunner.issued)
        #expect(file.ownCode == nil && file.issuedCode.count == 0 && file.typedCode.count == 0)
    }

    @Test func thePersonWhoLeavesTakesItAlong() async throws {
        let rig = try KioskRig()
        try await rig.run { rig in
            try await rig.walkToPIN()
            let file = await rig.kiosk.file
            rig.keypad.type("25")
            try await rig.screen.view { $0.entry == .masked(count: 2, capacity: 6) }
            #expect(file.digitCount == 2 && file.request != nil)
            for _ in 0..<3 { rig.keypad.press(.back) }
            try await rig.play("wait outcome, title declined")
            #expect(file.digitCount == 0 && file.request == nil)
        }
    }

    @Test func aPINIsTakenOnce() throws {
        let file = SessionFile()
        for digit in [2, 5, 8, 0] as [UInt8] { file.append(digit) }
        #expect(throws: KioskFailure.sessionIsOver) { _ = try file.takePIN() }
        file.completeEntry()
        #expect(try file.takePIN().length == 4)
        #expect(throws: KioskFailure.sessionIsOver) { _ = try file.takePIN() }
    }
}
