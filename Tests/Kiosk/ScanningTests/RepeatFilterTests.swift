// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LoginValues
import Scanning
import Testing

@Suite struct RepeatFilterTests {
    private func symbol(_ payload: UInt8) throws -> Symbol {
        let sighting = SymbolSighting(
            captured: .zero, frameWidth: 10, frameHeight: 10, centreX: 5, centreY: 5, edge: 4, brightness: 0,
            sharpness: 0)
        return try #require(Symbol(payload: SecretBytes(copying: [payload]), parts: 1, sighting: sighting))
    }

    @Test func aSymbolThatStaysIsReportedAgainAfterTheDistance() throws {
        var filter = RepeatFilter(distance: 3)
        let code = try symbol(1)
        #expect(
            (1...9).map { filter.admits(code, frame: $0) } == [
                true, false, false, false, true, false, false, false, true,
            ])
    }

    @Test func anotherSymbolIsReportedAtOnce() throws {
        var filter = RepeatFilter(distance: 100)
        #expect(filter.admits(try symbol(1), frame: 1))
        #expect(filter.admits(try symbol(2), frame: 1))
        #expect(!filter.admits(try symbol(1), frame: 2))
        filter.reset()
        #expect(filter.admits(try symbol(1), frame: 3))
    }

    @Test func whatItRemembersIsBounded() throws {
        var filter = RepeatFilter(distance: 1000)
        for payload in 0...UInt8(RepeatFilter.capacity) { #expect(filter.admits(try symbol(payload), frame: 1)) }
        #expect(filter.admits(try symbol(0), frame: 2))
        #expect(!filter.admits(try symbol(5), frame: 2))
    }
}
