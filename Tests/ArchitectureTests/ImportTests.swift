// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("Arrows between rooms point inward")
struct ImportTests {
    @Test("Every room imports only what its line in the house allows", arguments: House.rooms)
    func imports(of room: House.Room) throws {
        let imports = try SourceTree.imports(ofRoom: room.name)
        let forbidden = imports.filter { !room.mayImport($0.module) }
        #expect(
            forbidden.isEmpty,
            "\(room.name) must not import \(forbidden.map { "\($0.module) (\($0.place))" }.joined(separator: ", ")): \(room.reason)"
        )
    }

    @Test("No program reaches what it never holds", arguments: House.never.map(\.program))
    func reach(of program: String) throws {
        let never = try #require(House.never.first { $0.program == program }).modules
        let reached = House.reach(of: program).intersection(never)
        #expect(reached.isEmpty, "\(program) reaches \(reached.sorted())")
        #expect(House.reach(of: program).contains("LinuxSystem"), "nothing is reached any more")
    }

    @Test("A room that is not in the house has not been thought about")
    func everyRoomIsListed() throws {
        let listed = Set(House.rooms.map(\.name))
        let unlisted = try SourceTree.rooms().filter { !listed.contains($0) && !House.isCLibrary($0) }
        #expect(unlisted.isEmpty, "add \(unlisted) to House.rooms, to Package.swift and to docs/architecture.md")
    }

    @Test("The check itself sees an arrow that is not allowed")
    func seesAForbiddenArrow() throws {
        let room = try #require(House.rooms.first { $0.name == "KioskCore" })
        let source =
            "// import Nothing\n@testable public import Foundation\nimport struct GRDB.Row\nlet text = \"import Hidden\"\n"
        #expect(SourceTree.modules(importedBy: source) == ["Foundation", "GRDB"])
        #expect(!room.mayImport("Foundation") && !room.mayImport("GRDB") && room.mayImport("LoginValues"))
    }
}
