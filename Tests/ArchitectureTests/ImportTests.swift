// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The arrows stand in `Package.swift`. Everything else that tells of them is compared with it.
@Suite("Arrows between rooms point inward")
struct ImportTests {
    /// The language's own modules and the C library.
    private static let everywhere: Set<String> = ["Swift", "Glibc", "Musl", "Synchronization", "Dispatch"]

    /// What a program must not reach over any number of rooms: a kiosk is small, and none is both sides of the wire.
    private static let never: [(program: String, rooms: Set<String>)] = [
        ("login-kiosk", backend.union(["SimulatedCamera", "Scanning", "KioskTestKit"])),
        (
            "login-kiosk-scanner",
            backend.union([
                "SimulatedCamera", "MPinClient", "KioskMachine", "KioskRuntime", "Signage", "WebScreen",
                "HostIntegration",
                "SQLiteStore",
            ])
        ),
        ("login-kiosk-backend", kiosk),
        ("login-kiosk-demo", backend.union(kiosk).subtracting(["KioskPorts", "Signage"])),
    ]

    private static let backend: Set<String> = [
        "BackendValues", "WebTokens", "OpenIDProvider", "ReferenceBackend", "BackendTLS", "NIOSSL",
    ]
    private static let kiosk: Set<String> = [
        "MPinClient", "CurlTransport", "SQLiteStore", "KioskPorts", "KioskMachine", "KioskRuntime", "Signage",
        "WebScreen", "Keypads",
        "ScannerLink", "Doors", "HostIntegration", "Scanning",
    ]

    private let house: House
    private let page: HousePage

    init() throws {
        house = try House.built
        page = try HousePage()
    }

    private func foreign(_ modules: Set<String>, to room: House.Room, row: HousePage.Row) -> Set<String> {
        modules.subtracting(room.uses).subtracting(Self.everywhere).subtracting(row.foundation.modules)
    }

    @Test("A room imports what Package.swift gives it, of Foundation what the page gives it, and nothing else")
    func imports() throws {
        for row in page.rows {
            let room = try house.room(row.name)
            let forbidden = foreign(Set(try SourceTree.imports(ofRoom: room.name).map(\.module)), to: room, row: row)
            #expect(forbidden.isEmpty, "\(room.name) must not import \(forbidden.sorted()): \(row.reason)")
        }
    }

    @Test("What Package.swift gives a room, it imports")
    func nothingForNothing() throws {
        // What is linked without being called, and a module that one of the builds leaves out.
        let unseen = ["login-kiosk": ["CICUStubData"], "login-kiosk-backend": ["BackendTLS"]]
        for room in house.rooms where !House.isCLibrary(room.name) {
            let imported = Set(try SourceTree.imports(ofRoom: room.name).map(\.module))
            let unused = room.uses.subtracting(imported).subtracting(unseen[room.name] ?? [])
            #expect(unused.isEmpty, "\(room.name) does not import \(unused.sorted())")
        }
    }

    @Test("The page draws the arrows that there are")
    func pageIsTrue() throws {
        let rooms = house.rooms.filter { !House.isCLibrary($0.name) }
        let names = Set(rooms.map(\.name))
        #expect(names.count > 30, "the rooms are not found any more")
        #expect(Set(page.rows.map(\.name)) == names)
        #expect(page.rows.count == names.count, "a room stands in docs/architecture.md twice")
        for row in page.rows {
            #expect(row.standsOn == (try house.room(row.name)).uses.intersection(names), "\(row.name)")
            #expect(row.reason.count > 20, "\(row.name): why does it stand on nothing else?")
        }
    }

    @Test("No program reaches what it never holds", arguments: never.map(\.program))
    func reach(of program: String) throws {
        let never = try #require(Self.never.first { $0.program == program }).rooms
        #expect(never.isSubset(of: house.rooms.reduce(into: Set(["NIOSSL"])) { $0.insert($1.name) }))
        let reached = house.reach(of: program)
        #expect(reached.intersection(never).isEmpty, "\(program) reaches \(reached.intersection(never).sorted())")
        #expect(reached.contains("LinuxSystem"), "nothing is reached any more")
    }

    @Test("The check itself sees an arrow that is not allowed")
    func seesAForbiddenArrow() throws {
        let source =
            "// import Nothing\n@testable public import Foundation\nimport struct GRDB.Row\nlet text = \"import Hidden\"\n"
        #expect(SourceTree.modules(importedBy: source) == ["Foundation", "GRDB"])
        let room = try house.room("KioskMachine")
        let row = try #require(page.rows.first { $0.name == "KioskMachine" })
        let forbidden = foreign(["Foundation", "GRDB", "LoginValues", "Glibc"], to: room, row: row)
        #expect(forbidden == ["Foundation", "GRDB"])
    }
}
