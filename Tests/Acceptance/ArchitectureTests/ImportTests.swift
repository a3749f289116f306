// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Compares the rules of `docs/architecture.md` with `Package.swift` and the imports of all files.
@Suite("Modules use only what the architecture allows")
struct ImportTests {
    /// The language's own modules and the C library.
    private static let everywhere: Set<String> = ["Swift", "Glibc", "Musl", "Synchronization", "Dispatch"]

    /// Modules that a program must not use, directly or indirectly: a kiosk is small, and no program is both sides of
    /// the protocol.
    private static let never: [(program: String, modules: Set<String>)] = [
        ("login-kiosk", backend.union(["SimulatedCamera", "Scanning"])),
        (
            "login-kiosk-scanner",
            backend.union([
                "SimulatedCamera", "MPinClient", "KioskMachine", "KioskRuntime", "Signage", "WebScreen",
                "HostIntegration",
                "SQLiteStore",
            ])
        ),
        (
            "login-kiosk-display",
            backend.union(kiosk).subtracting(["KioskPorts"]).union(["SimulatedCamera", "Capture", "QRReader"])
        ),
        ("login-kiosk-backend", kiosk),
        ("login-kiosk-demo", backend.union(kiosk).subtracting(["KioskPorts", "Signage"])),
    ]

    private static let backend: Set<String> = [
        "BackendValues", "OpenIDProvider", "MPinServer", "BackendDatabases", "BackendHTTP", "OperatorPage",
        "ReferenceBackend", "BackendTLS", "NIOSSL", "PostgreSQL",
    ]
    private static let kiosk: Set<String> = [
        "MPinClient", "CurlTransport", "SQLiteStore", "KioskPorts", "KioskMachine", "KioskRuntime", "Signage",
        "WebScreen", "Keypads",
        "ScannerLink", "Doors", "HostIntegration", "Scanning",
    ]

    /// The only module in `Sources` that may use the tests' kits: it is not installed.
    private static let kitUser = "login-kiosk-dev"

    private let manifest: Manifest
    private let page: ArchitecturePage

    init() throws {
        manifest = try Manifest.built
        page = try ArchitecturePage()
    }

    private func foreign(_ imported: Set<String>, to module: Manifest.Module) -> Set<String> {
        imported.subtracting(module.uses).subtracting(Self.everywhere).subtracting(page.foundation[module.name] ?? [])
            .subtracting(module.group == "Kits" ? ["Testing"] : [])
    }

    @Test("A module imports only what Package.swift and, for Foundation, the page allow")
    func imports() throws {
        for module in manifest.modules {
            let forbidden = foreign(Set(try SourceTree.imports(of: module).map(\.module)), to: module)
            #expect(forbidden.isEmpty, "\(module.name) must not import \(forbidden.sorted())")
        }
    }

    @Test("A module imports everything that Package.swift gives it")
    func nothingForNothing() throws {
        // A module that is linked but not called, and one that a build may leave out.
        let unseen = ["login-kiosk": ["CICUStubData"], "login-kiosk-backend": ["BackendTLS"]]
        for module in manifest.modules {
            let imported = Set(try SourceTree.imports(of: module).map(\.module))
            let unused = module.uses.subtracting(imported).subtracting(unseen[module.name] ?? [])
            #expect(unused.isEmpty, "\(module.name) does not import \(unused.sorted())")
            let parts = (page.foundation[module.name] ?? []).intersection(imported)
            #expect(page.foundation[module.name] == nil || !parts.isEmpty, "\(module.name) does not import Foundation")
        }
    }

    @Test("No module hands on the names of another, except for the secret bytes of the SDK's calls")
    func noReexports() throws {
        for module in manifest.modules {
            let handedOn = try SourceTree.sources(of: module.name).reduce(0) { $0 + $1.ranges(of: "@_exported").count }
            #expect(handedOn == (module.name == "LoginValues" ? 2 : 0), "\(module.name)")
        }
    }

    @Test("The page lists every module in its group")
    func pageIsWhole() throws {
        let groups = Dictionary(grouping: manifest.modules.filter { $0.group != "C" }, by: \.group)
        #expect(manifest.modules.count > 30, "the modules are not found any more")
        #expect(Set(groups.keys) == Set(page.uses.keys).subtracting(["C"]))
        for (group, modules) in groups {
            #expect(page.modules[group]?.sorted() == modules.map(\.name).sorted(), "\(group)")
        }
    }

    @Test("A group uses only the groups that the page lists")
    func groups() throws {
        let names = Set(manifest.modules.map(\.name))
        for module in manifest.modules where module.group != "C" {
            let allowed = try #require(page.uses[module.group], "\(module.group) is no group of the page")
            for used in try module.uses.filter(names.contains).map(manifest.module) where used.group != module.group {
                if module.name == Self.kitUser, used.group == "Kits" { continue }
                #expect(
                    allowed.contains(used.group) || allowed.contains(used.name),
                    "\(module.name) of \(module.group) must not use \(used.name) of \(used.group)")
            }
        }
    }

    @Test("Kiosk and backend never see each other")
    func twoSides() throws {
        for (group, other) in [("Kiosk", "Backend"), ("Backend", "Kiosk")] {
            let modules = manifest.modules.filter { $0.group == group }
            #expect(modules.count > 5, "\(group) is not found any more")
            let foreign = Set(manifest.modules.filter { $0.group == other }.map(\.name))
            for module in modules {
                #expect(manifest.reach(of: module.name).isDisjoint(with: foreign), "\(module.name)")
            }
        }
    }

    @Test("The backend's protocol and rules know no HTTP and no database")
    func protocolAlone() throws {
        let reached = manifest.reach(of: "MPinServer")
        #expect(reached.isSuperset(of: ["MPinCrypto", "OpenIDProvider"]), "nothing is reached any more")
        #expect(reached.isDisjoint(with: ["Hummingbird", "NIOCore", "HTTPTypes", "GRDB", "PostgreSQL", "BackendHTTP"]))
    }

    @Test("Nothing in Sources uses the tests' kits, except for one program that is not installed")
    func kits() throws {
        let kits = Set(manifest.modules.filter { $0.group == "Kits" }.map(\.name))
        #expect(kits.count > 3, "the kits are not found any more")
        for module in manifest.modules where module.group != "Kits" && module.name != Self.kitUser {
            let reached = manifest.reach(of: module.name).intersection(kits)
            #expect(reached.isEmpty, "\(module.name) reaches \(reached.sorted())")
        }
        #expect(!manifest.reach(of: Self.kitUser).isDisjoint(with: kits), "\(Self.kitUser) needs no exception any more")
    }

    @Test("No program uses a module that it must not contain", arguments: never.map(\.program))
    func reach(of program: String) throws {
        let never = try #require(Self.never.first { $0.program == program }).modules
        #expect(never.isSubset(of: Set(manifest.modules.map(\.name)).union(["NIOSSL"])))
        let reached = manifest.reach(of: program)
        #expect(reached.intersection(never).isEmpty, "\(program) reaches \(reached.intersection(never).sorted())")
        #expect(reached.contains("LinuxSystem"), "nothing is reached any more")
    }

    @Test("The check finds a forbidden import")
    func seesAForbiddenImport() throws {
        let source =
            "// import Nothing\n@testable public import Foundation\nimport struct GRDB.Row\nlet text = \"import Hidden\"\n"
        #expect(SourceTree.modules(importedBy: source) == ["Foundation", "GRDB"])
        let forbidden = foreign(
            ["Foundation", "GRDB", "LoginValues", "Glibc"], to: try manifest.module("KioskMachine"))
        #expect(forbidden == ["Foundation", "GRDB"])
    }
}
