// SPDX-License-Identifier: Apache-2.0

import Glibc
import KioskPorts
import KioskTestKit
import Testing
@testable import GPIO

@Suite("Finding GPIO chips and lines")
struct ChipFinderTests {
    private static let input = LineSettings(.input(.pullUp))

    private func system(_ chips: [String: FakeLineSystem.FakeChip]) throws -> FakeLineSystem {
        FakeLineSystem(chips, matrix: FakeMatrix(try #require(MatrixSize(rows: 4, columns: 3))))
    }

    private let header = ["ID_SDA", "ID_SCL", "GPIO2", "GPIO3"]

    /// - Returns: nil when the lines were granted.
    private func refusal(
        _ system: FakeLineSystem, _ lines: [String], on chip: ChipAddress = .usual
    ) -> LineError? {
        do throws(LineError) {
            let addresses = lines.compactMap { LineAddress($0) }
            _ = try ChipFinder(system: system).request(addresses, on: chip, lines.map { _ in Self.input }, user: "test")
            return nil
        } catch {
            return error
        }
    }

    @Test func theHeadersChipIsFoundByItsLabelWhateverItsNumber() throws {
        let system = try system([
            "/dev/gpiochip0": .init(label: "raspberrypi-exp-gpio", names: ["", ""]),
            "/dev/gpiochip4": .init(label: "pinctrl-rp1", names: header),
        ])
        #expect(refusal(system, ["2", "3"]) == nil)
        #expect(refusal(system, ["GPIO3"]) == nil)
        #expect(system.openCount == 0)
    }

    @Test func namedLinesFindTheirChip() throws {
        let system = try system([
            "/dev/gpiochip0": .init(label: "one", names: ["A"]),
            "/dev/gpiochip1": .init(label: "two", names: ["B", "C"]),
        ])
        #expect(refusal(system, ["C", "B"]) == nil)
        #expect(refusal(system, ["A", "B"])?.code == .notFound)
        #expect(refusal(system, ["0"])?.problem == "numbers of lines need a chip where there is no Raspberry Pi")
        #expect(refusal(system, ["0"], on: .label("one")) == nil)
        #expect(refusal(system, ["0"], on: .path("/dev/gpiochip1")) == nil)
    }

    @Test func whatCannotBeHadIsExplained() throws {
        let system = try system([
            "/dev/gpiochip0": .init(label: "twin", names: ["A"]), "/dev/gpiochip1": .init(label: "twin", names: ["A"]),
            "/dev/gpiochip2": .init(label: "locked", names: ["B"], failure: EACCES),
        ])
        #expect(
            refusal(system, ["A"])?.description
                == "the pin header's GPIO chip: fits /dev/gpiochip0 and /dev/gpiochip1; name one of them by its path")
        #expect(
            refusal(system, ["A", "B"])?.description
                == "/dev/gpiochip2: may not be opened by this user; add the user to the group that has it, gpio on a "
                + "Raspberry Pi")
        #expect(
            refusal(system, ["7"], on: .path("/dev/gpiochip1"))?.description
                == "/dev/gpiochip1: twin has no line 7; take a name that `gpioinfo` of the package gpiod lists, "
                + "or a number below 1")
        #expect(refusal(system, ["0"], on: .path("/dev/gpiochip9"))?.code == .notFound)
        #expect(refusal(system, ["0"], on: .label("nobody"))?.code == .notPermitted)
    }

    @Test func whoHasALineIsNamed() throws {
        let system = try system([
            "/dev/gpiochip0": .init(label: "one", names: ["A", "B"], users: [1: "fan"])
        ])
        system.refuse(EBUSY)
        #expect(
            refusal(system, ["A", "B"])?.description
                == "/dev/gpiochip0: line B is in use by fan; stop that program, take its overlay out, or take another "
                + "line")
        #expect(system.openCount == 0)
    }

    @Test func theyAreListed() throws {
        let system = try system([
            "/dev/gpiochip0": .init(label: "one", names: header),
            "/dev/gpiochip1": .init(label: "two", names: [], failure: EACCES),
        ])
        let chips = ChipFinder(system: system).all()
        #expect(chips.map(\.path) == ["/dev/gpiochip0", "/dev/gpiochip1"])
        #expect(chips.map(\.label) == ["one", nil])
        #expect(chips.map(\.lineCount) == [4, 0])
        #expect(chips[1].problem?.hasPrefix("may not be opened") == true)
    }

    @Test(arguments: ["", "4294967296", String(repeating: "x", count: 32)])
    func whatIsNoLine(_ text: String) { #expect(LineAddress(text) == nil) }
}
