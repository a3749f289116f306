// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// The house: one `Room` a target. `docs/architecture.md` tells what each is for; `Tests/ArchitectureTests` refuses
// an arrow that is not drawn there.

struct Room {
    enum Kind {
        case library, executable
        case systemLibrary(pkgConfig: String?, debian: String)
        /// C or C++ that is compiled here, and links a library or none.
        case shim(links: String?)
    }
    var name: String
    var kind: Kind = .library
    var uses: [String] = []
    var packages: [Target.Dependency] = []
    /// Rooms and packages that only this room's tests use; nil means that the room has no test target of its own.
    var tests: (uses: [String], packages: [Target.Dependency])? = ([], [])
    var testResources: [Resource] = []
    /// Files that become part of the program's code.
    var resources: [Resource] = []
    /// Whether its functions on lent spans say what the span is bound to, as Swift 6.2 asks (docs/versions.md).
    var saysLifetimes = false
    /// Whether debug builds have it optimised, too: it computes more than all the others together.
    /// docs/decisions/0058-optimised-rooms.md
    var isAlwaysOptimised = false
}

/// A product that only the kiosk, the backend and the tools use. Another package that wants the SDK alone says `traits:
/// []`, and SwiftPM fetches none of them. docs/decisions/0062-sdk-products.md
func kioskProduct(_ name: String, _ package: String) -> Target.Dependency {
    .product(name: name, package: package, condition: .when(traits: ["Kiosk"]))
}

let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let argumentParser = kioskProduct("ArgumentParser", "swift-argument-parser")
let serviceLifecycle = kioskProduct("ServiceLifecycle", "swift-service-lifecycle")
let unixSignals = kioskProduct("UnixSignals", "swift-service-lifecycle")
let subprocess = kioskProduct("Subprocess", "swift-subprocess")
let systemPackage = kioskProduct("SystemPackage", "swift-system")
let hummingbird = kioskProduct("Hummingbird", "hummingbird")
let hummingbirdCore = kioskProduct("HummingbirdCore", "hummingbird")
let hummingbirdTesting = kioskProduct("HummingbirdTesting", "hummingbird")
let nioCore = kioskProduct("NIOCore", "swift-nio")
let nio = ["NIOCore", "NIOPosix", "NIOHTTP1"].map { kioskProduct($0, "swift-nio") }
let nioEmbedded = kioskProduct("NIOEmbedded", "swift-nio")
let nioSSL = kioskProduct("NIOSSL", "swift-nio-ssl")
let nioHTTPTypes = kioskProduct("NIOHTTPTypesHTTP1", "swift-nio-extras")
let httpTypes = kioskProduct("HTTPTypes", "swift-http-types")
let configuration = kioskProduct("Configuration", "swift-configuration")
let yams = kioskProduct("Yams", "Yams")

/// `make demo` does without: the library of TLS is 430 units of compilation for the backend alone, and a demonstration
/// speaks http within the machine. docs/decisions/0049-cold-builds.md
let hasTLS = Context.environment["LOGIN_KIOSK_TLS"] != "no"

/// Whether another package uses this one by version: SwiftPM then refuses flags of our own.
let isDependency = Context.packageDirectory.contains("/checkouts/")

/// As a whole, for most of it is small functions of other files; with the checks that tests are to see.
let optimised = [
    "-O", "-wmo", "-num-threads", "2", "-disable-batch-mode", "-assert-config", "Debug",
]

/// Against a fault of the compiler that ends it in optimised builds. docs/versions.md
let withoutSunkStores = ["-Xllvm", "-simplifycfg-sink-common=false"]

/// An optimised program offers no names, for nothing loads a library that would ask for them, and lists the addresses to
/// be filled in at its start in a bit each: less to download, and less in memory. docs/decisions/0056-packages.md
let lean = ["-use-ld=lld"] + ["--no-export-dynamic", "-z", "pack-relative-relocs"].flatMap { ["-Xlinker", $0] }

let rooms: [Room] = [
    // C libraries: a module map and, where macros or variadics need it, a shim. No logic.
    Room(name: "COpenSSL", kind: .systemLibrary(pkgConfig: "libcrypto", debian: "libssl-dev"), tests: nil),
    // Without pkg-config: SwiftPM warns of a flag for Kerberos that Debian 13's has, and the headers need none.
    Room(name: "CCurl", kind: .systemLibrary(pkgConfig: nil, debian: "libcurl4-openssl-dev"), tests: nil),
    Room(name: "CQREncode", kind: .systemLibrary(pkgConfig: "libqrencode", debian: "libqrencode-dev"), tests: nil),
    Room(name: "CPNG", kind: .systemLibrary(pkgConfig: "libpng", debian: "libpng-dev"), tests: nil),
    Room(name: "CTurboJPEG", kind: .systemLibrary(pkgConfig: "libturbojpeg", debian: "libturbojpeg0-dev"), tests: nil),
    Room(name: "CV4L2", kind: .systemLibrary(pkgConfig: "libv4lconvert", debian: "libv4l-dev"), tests: nil),
    Room(name: "CZBar", kind: .systemLibrary(pkgConfig: "zbar", debian: "libzbar-dev"), tests: nil),
    Room(name: "CValgrind", kind: .systemLibrary(pkgConfig: nil, debian: "valgrind"), tests: nil),
    // Without pkg-config, as with curl: it needs none where Debian has its headers.
    Room(name: "CPostgres", kind: .systemLibrary(pkgConfig: nil, debian: "libpq-dev"), tests: nil),
    Room(name: "CZXing", kind: .shim(links: "ZXing"), tests: nil),
    // Foundation's tables of languages, empty, for a kiosk of half the size. docs/decisions/0056-packages.md
    Room(name: "CICUStubData", kind: .shim(links: nil), tests: nil),
    Room(name: "CGPIO", kind: .systemLibrary(pkgConfig: nil, debian: "linux-libc-dev"), tests: nil),
    Room(name: "CInput", kind: .systemLibrary(pkgConfig: nil, debian: "linux-libc-dev"), tests: nil),
    Room(name: "CSeccomp", kind: .systemLibrary(pkgConfig: nil, debian: "linux-libc-dev"), tests: nil),
    Room(name: "CProcess", kind: .systemLibrary(pkgConfig: nil, debian: "libc6-dev"), tests: nil),
    Room(name: "CTimex", kind: .systemLibrary(pkgConfig: nil, debian: "libc6-dev"), tests: nil),

    // The bottom and the cryptography: no heavy dependency, so that they build and test in seconds.
    Room(name: "LoginValues", tests: (["SeededRandomness"], [])),
    Room(
        name: "MPinCrypto", uses: ["COpenSSL"], tests: (["MPinVectors", "SeededRandomness"], []),
        testResources: [.copy("Vectors")], isAlwaysOptimised: true),
    Room(name: "MPinVectors", uses: ["MPinCrypto"], tests: nil),

    // Bytes that only the holder of a key can read.
    Room(name: "Sealing", uses: ["LoginValues", "COpenSSL"], tests: (["SeededRandomness"], [])),

    // What an operator wants of a kiosk, on its way there.
    Room(
        name: "Provisioning", uses: ["LoginValues", "LinuxSystem", "Sealing", "COpenSSL"],
        tests: (["SeededRandomness"], [])),

    // What a kiosk has, for the day when its card is dead.
    Room(
        name: "Backups", uses: ["LoginValues", "LinuxSystem", "Sealing", "COpenSSL"],
        tests: (["SeededRandomness"], []), testResources: [.copy("Recorded")]),

    // What every program needs of Linux itself.
    Room(name: "LinuxSystem", uses: ["CProcess"], tests: (["Patience", "SeededRandomness"], [])),

    // Who did what at a kiosk or a backend, and what came of it.
    Room(name: "AuditTrail", uses: ["LinuxSystem", "COpenSSL"], tests: (["Patience", "SeededRandomness"], [])),

    // How a program is, in numbers, for operators' tools.
    Room(
        name: "MetricsService", uses: ["Waiting"],
        packages: [hummingbird, hummingbirdCore, httpTypes, serviceLifecycle, logging, nioCore],
        tests: (["SeededRandomness"], [])),

    // Random numbers from a seed: no test and no film is different the next time.
    Room(name: "SeededRandomness", tests: nil),

    // What a program sees of a person at a terminal, made of software.
    Room(name: "PseudoTerminals", tests: nil),

    // How a task waits.
    Room(name: "Waiting", tests: nil),

    // Texts as QR codes: of login pages, and of cards.
    Room(name: "QRWriting", uses: ["CQREncode", "CPNG"], tests: nil),

    // The SDK.
    Room(
        name: "MPinClient", uses: ["MPinCrypto", "LoginValues"], packages: [logging],
        tests: (["KioskTestKit", "SeededRandomness"], []), testResources: [.copy("Recordings")], saysLifetimes: true),
    Room(
        name: "CurlTransport", uses: ["MPinClient", "LoginValues", "CCurl", "COpenSSL"],
        tests: (["KioskTestKit", "Patience", "SeededRandomness"], [])),
    Room(
        name: "SQLiteStore", uses: ["MPinClient", "LoginValues", "LinuxSystem", "Sealing", "COpenSSL"],
        packages: [grdb],
        tests: (["KioskTestKit", "Patience"], [])),

    // An identity on paper.
    Room(
        name: "PersonalCards", uses: ["MPinClient", "LoginValues", "LinuxSystem", "Sealing"],
        tests: (["QRWriting", "SeededRandomness"], [])),

    // The kiosk.
    Room(name: "KioskPorts", uses: ["LoginValues"]),
    Room(name: "KioskMachine", uses: ["KioskPorts", "LoginValues"], tests: (["SeededRandomness"], [])),
    Room(
        name: "KioskRuntime",
        uses: ["KioskPorts", "KioskMachine", "MPinClient", "PersonalCards", "LoginValues", "Waiting"],
        packages: [logging],
        tests: (["KioskTestKit", "MPinCrypto", "SeededRandomness"], [])),
    Room(name: "GPIO", uses: ["KioskPorts", "CGPIO"], tests: (["KioskTestKit"], [])),
    Room(
        name: "Keypads", uses: ["KioskPorts", "GPIO", "CInput"],
        tests: (["KioskTestKit", "PseudoTerminals", "SeededRandomness"], [])),
    Room(
        name: "Signage", uses: ["KioskPorts", "LoginValues", "QRWriting"],
        tests: (["KioskTestKit", "KioskMachine", "PseudoTerminals", "SeededRandomness"], []),
        resources: [.embedInCode("Prompts")]),
    Room(
        name: "WebScreen", uses: ["KioskPorts", "Signage", "LinuxSystem", "Waiting", "CTurboJPEG"],
        packages: [hummingbird, hummingbirdCore, httpTypes, serviceLifecycle, logging, nioCore],
        tests: (["KioskTestKit", "KioskMachine", "Capture", "LoginValues", "SeededRandomness"], []),
        resources: [.embedInCode("Page")]),
    Room(
        name: "Capture", uses: ["KioskPorts", "CPNG", "CTurboJPEG", "CV4L2"],
        tests: (["PictureTestKit", "SeededRandomness"], [])),
    Room(
        name: "Scanning", uses: ["KioskPorts", "LoginValues", "CZBar", "CZXing"],
        tests: (["Capture", "PictureTestKit", "QRWriting", "SeededRandomness"], []), saysLifetimes: true),
    Room(
        name: "SimulatedCamera", uses: ["Capture", "KioskPorts", "SeededRandomness"],
        tests: (["Scanning", "LoginValues", "Patience", "PictureTestKit"], [])),

    // Between the kiosk and its scanner: what they say to each other, and the kiosk's end of it.
    Room(name: "ScannerProtocol", uses: ["KioskPorts", "LoginValues"], tests: (["SeededRandomness"], [])),
    Room(
        name: "ScannerLink", uses: ["KioskPorts", "ScannerProtocol", "LinuxSystem", "Waiting"],
        packages: [subprocess, systemPackage, logging],
        tests: (["login-kiosk-scanner", "KioskMachine", "Capture", "LoginValues", "Patience", "PictureTestKit"], [])),

    // What a login at the kiosk itself opens.
    Room(
        name: "Doors", uses: ["KioskPorts", "MPinClient", "LoginValues", "LinuxSystem", "Waiting"],
        packages: [subprocess, systemPackage, logging],
        tests: (["KioskTestKit"], [])),

    // The machine that the kiosk runs on.
    Room(
        name: "HostIntegration",
        uses: ["LoginValues", "LinuxSystem", "KioskMachine", "Provisioning", "Backups", "CTimex"],
        packages: [configuration, yams],
        // Its settings and the kiosk's policy state the same choices.
        tests: (["SeededRandomness"], [])),

    // A database server, for backends that are several processes.
    Room(name: "PostgreSQL", uses: ["CPostgres"], tests: (["PostgreSQLTestKit", "SeededRandomness"], [])),
    Room(name: "PostgreSQLTestKit", tests: nil),
    Room(
        name: "FleetStore",
        uses: ["PostgreSQL", "MPinClient", "PersonalCards", "LoginValues", "LinuxSystem", "Sealing"],
        packages: [logging], tests: (["PostgreSQLTestKit", "KioskTestKit", "SeededRandomness"], [])),

    // The other side of the wire. It shares no code with MPinClient on purpose.
    Room(name: "BackendValues", uses: ["COpenSSL"], packages: [httpTypes], tests: (["SeededRandomness"], [])),
    Room(name: "WebTokens", uses: ["BackendValues", "COpenSSL"], tests: nil),
    Room(
        name: "OpenIDProvider", uses: ["BackendValues", "WebTokens"], tests: (["SeededRandomness"], [])),
    Room(
        name: "ReferenceBackend",
        uses: [
            "BackendValues", "WebTokens", "OpenIDProvider", "MPinCrypto", "LinuxSystem", "Waiting", "QRWriting",
            "PostgreSQL", "COpenSSL", "CCurl",
        ],
        packages: [
            hummingbird, hummingbirdCore, httpTypes, serviceLifecycle, grdb, logging,
        ] + nio + [nioHTTPTypes],
        // Its tests meet the other side.
        tests: hasTLS
            ? (
                [
                    "BackendTLS", "MPinClient", "CurlTransport", "SQLiteStore", "LoginValues", "KioskPorts",
                    "KioskMachine", "KioskRuntime", "KioskTestKit", "PersonalCards", "PostgreSQLTestKit",
                    "Patience", "SeededRandomness",
                ],
                [hummingbirdTesting, nioSSL, nioEmbedded]
            ) : nil,
        resources: [.embedInCode("Operator/Page")]),
    Room(
        name: "BackendTLS", uses: ["ReferenceBackend"], packages: [nioCore, nioSSL], tests: nil),

    // How long tests wait, and how many programs they start at a time.
    Room(name: "Patience"),

    // Fakes of every port and the contract suites that run on fake and real alike.
    Room(name: "KioskTestKit", uses: ["KioskPorts", "MPinClient", "LoginValues", "SeededRandomness"], tests: nil),

    // Pictures for tests: QR codes, PNG files, noise.
    Room(name: "PictureTestKit", uses: ["Capture", "SeededRandomness", "CQREncode", "CPNG"], tests: nil),

    // What the programs' command lines have in common.
    Room(
        name: "CommandLineInterface", uses: ["LinuxSystem", "AuditTrail"],
        packages: [argumentParser, serviceLifecycle, logging], tests: (["Waiting"], [])),

    // Programs.
    Room(
        name: "login-kiosk-scanner", kind: .executable,
        uses: ["Capture", "Scanning", "KioskPorts", "ScannerProtocol", "LinuxSystem", "CSeccomp"],
        tests: (["LoginValues", "Patience", "PictureTestKit", "SeededRandomness"], [])),
    Room(
        name: "login-kiosk", kind: .executable,
        uses: [
            "CommandLineInterface", "LoginValues", "LinuxSystem", "KioskPorts", "KioskMachine", "KioskRuntime",
            "MPinClient",
            "PersonalCards",
            "CurlTransport", "SQLiteStore", "FleetStore", "PostgreSQL", "Keypads", "GPIO", "Signage", "WebScreen",
            "Capture", "ScannerLink", "Doors", "HostIntegration", "Provisioning", "Backups", "QRWriting", "AuditTrail",
            "MetricsService", "CICUStubData",
        ],
        packages: [argumentParser, serviceLifecycle, unixSignals, logging], tests: nil),
    Room(
        name: "login-kiosk-backend", kind: .executable,
        uses: ["CommandLineInterface", "LinuxSystem", "AuditTrail", "MetricsService", "ReferenceBackend"]
            + (hasTLS ? ["BackendTLS"] : []),
        packages: [argumentParser, serviceLifecycle, logging], tests: nil),
    Room(
        name: "login-kiosk-demo", kind: .executable,
        uses: [
            "CommandLineInterface", "LinuxSystem", "Waiting", "KioskPorts", "Signage", "PseudoTerminals",
            "SimulatedCamera",
        ],
        packages: [argumentParser, serviceLifecycle, subprocess, systemPackage, logging], tests: nil),
    // Not installed: measurements and checks.
    Room(
        name: "login-kiosk-dev", kind: .executable,
        uses: [
            "CommandLineInterface", "LinuxSystem", "LoginValues", "MPinCrypto", "MPinVectors", "MPinClient",
            "CurlTransport", "SQLiteStore", "KioskPorts", "KioskMachine", "GPIO", "Keypads", "Signage", "Capture",
            "Scanning",
            "KioskTestKit", "PseudoTerminals", "SeededRandomness", "COpenSSL", "CValgrind",
        ],
        packages: [argumentParser, logging], tests: (["PictureTestKit"], [])),
]

// `LOGIN_KIOSK_ONLY=MPinCrypto,KioskMachine swift test` builds those rooms, what they stand on, and their tests:
// seconds instead of the minutes that the HTTP server and the database take.
let only = Context.environment["LOGIN_KIOSK_ONLY"].map { Set($0.split(separator: ",").map(String.init)) }

func withFoundations(_ names: Set<String>) -> Set<String> {
    var found = names
    for room in rooms where names.contains(room.name) {
        found.formUnion(room.uses)
        if let tests = room.tests { found.formUnion(tests.uses) }
    }
    return found == names ? names : withFoundations(found)
}

let kept =
    only.map { named in rooms.filter { withFoundations(named).contains($0.name) } }
    ?? rooms.filter { hasTLS || $0.name != "BackendTLS" }

var targets: [Target] = []
for room in kept {
    let dependencies = room.uses.map { Target.Dependency(stringLiteral: $0) } + room.packages
    switch room.kind {
    case .library:
        targets.append(.target(name: room.name, dependencies: dependencies, resources: room.resources))
    case .executable:
        targets.append(
            .executableTarget(
                name: room.name, dependencies: dependencies,
                linkerSettings: isDependency ? [] : [.unsafeFlags(lean, .when(configuration: .release))]))
    case .shim(let library):
        targets.append(.target(name: room.name, linkerSettings: library.map { [.linkedLibrary($0)] }))
    case .systemLibrary(let pkgConfig, let debian):
        targets.append(.systemLibrary(name: room.name, pkgConfig: pkgConfig, providers: [.apt([debian])]))
    }
    if let tests = room.tests, only?.contains(room.name) ?? true {
        targets.append(
            .testTarget(
                name: room.name + "Tests",
                dependencies: [Target.Dependency(stringLiteral: room.name)] + dependencies
                    + tests.uses.map { Target.Dependency(stringLiteral: $0) } + tests.packages,
                resources: room.testResources))
    }
}
// It reads the sources and needs none of them built: `LOGIN_KIOSK_ONLY=ArchitectureTests swift test`.
if only?.contains("ArchitectureTests") ?? true { targets.append(.testTarget(name: "ArchitectureTests")) }
// `LOGIN_KIOSK_ONLY=ProgramTests,login-kiosk,login-kiosk-scanner,login-kiosk-backend,login-kiosk-demo,login-kiosk-dev,\
// PictureTestKit`
if only?.contains("ProgramTests") ?? true {
    // The program as a user starts it: every scenario runs the built executables.
    targets.append(
        .testTarget(
            name: "ProgramTests",
            dependencies: [
                "login-kiosk", "login-kiosk-scanner", "login-kiosk-backend", "login-kiosk-demo", "login-kiosk-dev",
                "Capture",
                "KioskPorts",
                "KioskTestKit", "LinuxSystem", "LoginValues", "Patience", "PictureTestKit", "PostgreSQLTestKit",
                "PseudoTerminals",
            ]))
}

for target in targets where target.type != .system {
    target.swiftSettings = [
        .swiftLanguageMode(.v6),
        .strictMemorySafety(),  // SE-0458
        .enableUpcomingFeature("ExistentialAny"),  // SE-0335
        .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
        .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
    ]
    if !isDependency, rooms.contains(where: { $0.name == target.name && $0.isAlwaysOptimised }) {
        target.swiftSettings?.append(.unsafeFlags(optimised, .when(configuration: .debug)))
    } else if !isDependency {
        target.swiftSettings?.append(.unsafeFlags(withoutSunkStores, .when(configuration: .release)))
    }
    if rooms.contains(where: { $0.name == target.name && $0.saysLifetimes }) {
        target.swiftSettings?.append(.enableExperimentalFeature("Lifetimes"))
    }
    if hasTLS, target.name == "login-kiosk-backend" { target.swiftSettings?.append(.define("TLS")) }
    if Context.environment["CI"] != nil {
        target.swiftSettings?.append(.treatAllWarnings(as: .error))  // SE-0480
    }
}

var products: [Product] = []
// `MPinClient` speaks in the words of `LoginValues`: a program that imports the one imports the other.
for (library, targets) in [
    ("MPinClient", ["MPinClient", "LoginValues"]), ("MPinCrypto", ["MPinCrypto"]), ("CurlTransport", ["CurlTransport"]),
    ("SQLiteStore", ["SQLiteStore"]),
]
where kept.contains(where: { $0.name == library }) {
    products.append(.library(name: library, targets: targets))
}
for room in kept {
    if case .executable = room.kind { products.append(.executable(name: room.name, targets: [room.name])) }
}

let package = Package(
    name: "login-kiosk",
    products: products,
    traits: [
        .default(enabledTraits: ["Kiosk"]),
        .trait(name: "Kiosk", description: "Kiosk, backend and tools; without it the SDK alone."),
    ],
    dependencies: [
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: []),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.0"),
    ] + (hasTLS ? [.package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0")] : []),
    targets: targets,
    cxxLanguageStandard: .cxx17
)
