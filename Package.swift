// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// Each module stands in the folder of its group: `Sources/SDK/LoginValues`, `Tests/SDK/LoginValuesTests`.
// `docs/architecture.md` says what each is for and which group may use which; ArchitectureTests refuses anything else.

/// A product that only the kiosk, the backend and the tools use. Another package that wants the SDK alone says
/// `traits: []`, and SwiftPM fetches none of them. docs/sdk.md
func kioskProduct(_ name: String, _ package: String) -> Target.Dependency {
    .product(name: name, package: package, condition: .when(traits: ["Kiosk"]))
}

let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let argumentParser = kioskProduct("ArgumentParser", "swift-argument-parser")
let serviceLifecycle = kioskProduct("ServiceLifecycle", "swift-service-lifecycle")
let subprocess = kioskProduct("Subprocess", "swift-subprocess")
let systemPackage = kioskProduct("SystemPackage", "swift-system")
let hummingbird = kioskProduct("Hummingbird", "hummingbird")
let hummingbirdCore = kioskProduct("HummingbirdCore", "hummingbird")
let hummingbirdHTTP2 = kioskProduct("HummingbirdHTTP2", "hummingbird")
let hummingbirdTesting = kioskProduct("HummingbirdTesting", "hummingbird")
let nioCore = kioskProduct("NIOCore", "swift-nio")
let nioPosix = kioskProduct("NIOPosix", "swift-nio")
let nioHTTP1 = kioskProduct("NIOHTTP1", "swift-nio")
let nioEmbedded = kioskProduct("NIOEmbedded", "swift-nio")
let nioSSL = kioskProduct("NIOSSL", "swift-nio-ssl")
let nioHTTPTypes = kioskProduct("NIOHTTPTypes", "swift-nio-extras")
let nioHTTPTypesHTTP1 = kioskProduct("NIOHTTPTypesHTTP1", "swift-nio-extras")
let httpTypes = kioskProduct("HTTPTypes", "swift-http-types")
let yams = kioskProduct("Yams", "Yams")

/// Whether the backend has TLS. `make demo` does without: nio-ssl is 430 units of compilation, and a demonstration
/// speaks HTTP within the machine. With a trait, which is a condition for every module, `make test` after `make demo`
/// would compile everything again.
let hasTLS = Context.environment["LOGIN_KIOSK_TLS"] != "no"

// Module maps of C libraries, and shims where macros or variadics need them. No logic.
let c: [Target] = [
    .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    // The library of OpenSSL for TLS, which curl brings.
    .systemLibrary(name: "CSSL", pkgConfig: "libssl", providers: [.apt(["libssl-dev"])]),
    // Without pkg-config: SwiftPM warns of a flag for Kerberos that Debian 13's has, and the headers need none.
    .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CPsl", pkgConfig: "libpsl", providers: [.apt(["libpsl-dev"])]),
    .systemLibrary(name: "CQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
    .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
    .systemLibrary(name: "CV4L2", pkgConfig: "libv4lconvert", providers: [.apt(["libv4l-dev"])]),
    .systemLibrary(name: "CDRM", pkgConfig: "libdrm", providers: [.apt(["libdrm-dev"])]),
    // SwiftPM warns of its flag -pthread, which glibc does not need.
    .systemLibrary(name: "CPango", pkgConfig: "pangocairo", providers: [.apt(["libpango1.0-dev"])]),
    .systemLibrary(name: "CZBar", pkgConfig: "zbar", providers: [.apt(["libzbar-dev"])]),
    .systemLibrary(name: "CValgrind", providers: [.apt(["valgrind"])]),
    // Without pkg-config, as curl.
    .systemLibrary(name: "CPostgres", providers: [.apt(["libpq-dev"])]),
    .systemLibrary(name: "CGPIO", providers: [.apt(["linux-libc-dev"])]),
    .systemLibrary(name: "CInput", providers: [.apt(["linux-libc-dev"])]),
    .systemLibrary(name: "CSeccomp", providers: [.apt(["linux-libc-dev"])]),
    .systemLibrary(name: "CProcess", providers: [.apt(["libc6-dev"])]),
    .systemLibrary(name: "CTimex", providers: [.apt(["libc6-dev"])]),
    .target(name: "CZXing", linkerSettings: [.linkedLibrary("ZXing")]),
    // docs/decisions/0108-whole-jpegs.md
    .target(name: "CJPEG", linkerSettings: [.linkedLibrary("jpeg")]),
    // Empty tables of Foundation's languages, for a kiosk of half the size. docs/decisions/0056-packages.md
    .target(name: "CICUStubData"),
]

// Services that the programs share: processes and files, waiting, records of sessions, metrics, command lines.
let common: [Target] = [
    .target(name: "Encoding"),
    .testTarget(name: "EncodingTests", dependencies: ["Encoding", "Patience"]),
    .target(name: "Sealing", dependencies: ["COpenSSL", "Encoding"]),
    .testTarget(name: "SealingTests", dependencies: ["Encoding", "Sealing", "Patience"]),
    .target(name: "LinuxSystem", dependencies: ["CProcess"]),
    .testTarget(name: "LinuxSystemTests", dependencies: ["LinuxSystem", "Patience"]),
    .target(name: "QRWriting", dependencies: ["CPNG", "CQREncode"]),
    .target(name: "SeededRandom"),
    .target(name: "AuditTrail", dependencies: ["Encoding", "Sealing", "LinuxSystem"]),
    .testTarget(name: "AuditTrailTests", dependencies: ["AuditTrail", "Patience"]),
    .target(name: "ConnectionLimits", dependencies: [nioCore]),
    .testTarget(name: "ConnectionLimitsTests", dependencies: ["ConnectionLimits", nioCore, nioEmbedded]),
    .target(
        name: "MetricsService",
        dependencies: [
            "LinuxSystem", "ConnectionLimits", logging, serviceLifecycle, hummingbird, hummingbirdCore, nioCore,
            httpTypes,
        ]),
    .testTarget(name: "MetricsServiceTests", dependencies: ["MetricsService", "Patience"]),
    .target(
        name: "CommandLineInterface",
        dependencies: ["LinuxSystem", "AuditTrail", logging, argumentParser, serviceLifecycle]),
    .testTarget(name: "CommandLineInterfaceTests", dependencies: ["CommandLineInterface", "LinuxSystem"]),
]

// The SDK: values, cryptography, M-Pin, network, storage. Usable without a kiosk; no heavy dependency.
let sdk: [Target] = [
    .target(name: "LoginValues", dependencies: ["Encoding"]),
    .testTarget(name: "LoginValuesTests", dependencies: ["LoginValues", "Patience"]),
    .target(name: "MPinCrypto", dependencies: ["COpenSSL", "Sealing"]),
    .testTarget(
        name: "MPinCryptoTests", dependencies: ["MPinCrypto", "Patience", "MPinVectors"],
        resources: [.copy("Vectors")]),
    .target(name: "MPinClient", dependencies: ["Encoding", "LoginValues", "MPinCrypto", logging]),
    .testTarget(
        name: "MPinClientTests", dependencies: ["Encoding", "MPinClient", "KioskTestKit"],
        resources: [.copy("Recordings")]),
    .target(
        name: "CurlTransport",
        dependencies: ["CCurl", "COpenSSL", "CSSL", "Sealing", "LinuxSystem", "LoginValues", "MPinClient"]),
    .testTarget(name: "CurlTransportTests", dependencies: ["CurlTransport", "CSSL", "KioskTestKit", "Patience"]),
    .target(
        name: "SQLiteStore", dependencies: ["COpenSSL", "Sealing", "LinuxSystem", "LoginValues", "MPinClient", grdb]),
    .testTarget(name: "SQLiteStoreTests", dependencies: ["SQLiteStore", "KioskTestKit", "Patience"]),
]

// Signed settings, personal cards and backups: the files that come to a kiosk from outside.
let fleet: [Target] = [
    .target(name: "Provisioning", dependencies: ["COpenSSL", "Encoding", "Sealing", "LinuxSystem", "LoginValues"]),
    .testTarget(name: "ProvisioningTests", dependencies: ["Encoding", "Provisioning", "Patience"]),
    .target(name: "PersonalCards", dependencies: ["Encoding", "Sealing", "LinuxSystem", "LoginValues", "MPinClient"]),
    .testTarget(
        name: "PersonalCardsTests", dependencies: ["Encoding", "PersonalCards", "QRWriting", "Patience"]),
    .target(
        name: "Backups",
        dependencies: [
            "Encoding", "Sealing", "LinuxSystem", "LoginValues", "MPinClient", "SQLiteStore", "Provisioning",
            "PersonalCards",
        ]),
    .testTarget(name: "BackupsTests", dependencies: ["Backups", "Patience"]),
]

// The kiosk and its scanner.
let kiosk: [Target] = [
    .target(name: "KioskPorts", dependencies: ["LoginValues"]),
    .testTarget(name: "KioskPortsTests", dependencies: ["KioskPorts", "Patience"]),
    .target(name: "KioskMachine", dependencies: ["Encoding", "LoginValues", "KioskPorts"]),
    .testTarget(
        name: "KioskMachineTests",
        dependencies: ["KioskMachine", "KioskTestKit", "ScreenTestKit", "Signage", "Patience"]),
    .target(
        name: "KioskRuntime",
        dependencies: [
            "Encoding", "LinuxSystem", "LoginValues", "MPinClient", "PersonalCards", "KioskPorts", "KioskMachine",
            logging,
        ]),
    .testTarget(name: "KioskRuntimeTests", dependencies: ["KioskRuntime", "KioskTestKit", "ScreenTestKit"]),
    .target(name: "Capture", dependencies: ["CJPEG", "CPNG", "CV4L2", "LinuxSystem", "KioskPorts"]),
    .testTarget(name: "CaptureTests", dependencies: ["Capture", "CJPEG", "PictureTestKit"]),
    .target(name: "QRReader", dependencies: ["LoginValues", "KioskPorts"]),
    .testTarget(
        name: "QRReaderTests",
        dependencies: ["QRReader", "CQREncode", "LoginValues", "KioskPorts", "Patience"]),
    .target(name: "Scanning", dependencies: ["CZBar", "CZXing", "LoginValues", "KioskPorts", "QRReader"]),
    .testTarget(name: "ScanningTests", dependencies: ["Scanning", "QRWriting", "PictureTestKit"]),
    .target(name: "ConfinedProcess", dependencies: ["CSeccomp", "LinuxSystem", "KioskPorts"]),
    .target(
        name: "ScannerLink",
        dependencies: ["LinuxSystem", "KioskPorts", logging, subprocess, systemPackage]),
    .testTarget(
        name: "ScannerLinkTests",
        dependencies: [
            "ScannerLink", "KioskMachine", "KioskTestKit", "Patience", "PictureTestKit", "login-kiosk-scanner",
        ]),
    .target(
        name: "DisplayLink",
        dependencies: ["LinuxSystem", "KioskPorts", "Signage", logging, subprocess, systemPackage]),
    .testTarget(
        name: "DisplayLinkTests",
        dependencies: [
            "LoginValues", "DisplayLink", "KioskPorts", "Signage", "KioskTestKit", "Patience", "ScreenTestKit",
            "login-kiosk-display",
        ]),
    .target(name: "Keypads", dependencies: ["CInput", "LinuxSystem", "KioskPorts", "GPIO"]),
    .testTarget(name: "KeypadsTests", dependencies: ["Keypads", "LinuxSystem", "KioskTestKit", "Patience"]),
    .target(name: "GPIO", dependencies: ["CGPIO", "LinuxSystem", "KioskPorts"]),
    .testTarget(name: "GPIOTests", dependencies: ["GPIO", "KioskTestKit"]),
    .target(
        name: "Doors",
        dependencies: [
            "AuditTrail", "Encoding", "LinuxSystem", "LoginValues", "MPinClient", "KioskPorts", logging, subprocess,
            systemPackage,
        ]),
    .testTarget(name: "DoorsTests", dependencies: ["Doors", "AuditTrail", "KioskTestKit", "login-kiosk"]),
    .target(
        name: "Signage", dependencies: ["Encoding", "QRWriting", "LoginValues", "KioskPorts"],
        resources: [.embedInCode("Words")]),
    .testTarget(
        name: "SignageTests",
        dependencies: ["Encoding", "Signage", "LinuxSystem", "KioskMachine", "KioskTestKit", "ScreenTestKit"]),
    .target(name: "Display", dependencies: ["CPango", "KioskPorts"]),
    .testTarget(
        name: "DisplayTests",
        dependencies: ["CPNG", "CPango", "LoginValues", "KioskPorts", "Display", "Signage", "ScreenTestKit"]),
    .target(
        name: "Speech",
        dependencies: ["LinuxSystem", "LoginValues", "KioskPorts", "Signage", subprocess, systemPackage]),
    .testTarget(name: "SpeechTests", dependencies: ["Speech", "KioskMachine", "KioskTestKit", "Patience"]),
    .target(
        name: "WebScreen",
        dependencies: [
            "CJPEG", "Encoding", "LinuxSystem", "ConnectionLimits", "KioskPorts", "Signage", logging,
            serviceLifecycle, hummingbird, hummingbirdCore, nioCore, httpTypes,
        ], resources: [.embedInCode("Page")]),
    .testTarget(
        name: "WebScreenTests",
        dependencies: ["WebScreen", "KioskMachine", "Capture", "KioskTestKit", "Patience"]),
    .target(
        name: "HostIntegration",
        dependencies: [
            "CPsl", "CTimex", "Encoding", "LinuxSystem", "LoginValues", "CurlTransport", "Provisioning",
            "PersonalCards", "Backups", "KioskPorts", "KioskMachine", "Capture", "DisplayLink", "Signage", "Speech",
            yams, logging, subprocess, systemPackage,
        ]),
    .testTarget(
        name: "HostIntegrationTests",
        dependencies: [
            "HostIntegration", "PersonalCards", "KioskPorts", "LinuxSystem", "KioskTestKit", "SeededRandom", "Patience",
        ]),
    .executableTarget(
        name: "login-kiosk",
        dependencies: [
            "Encoding", "LinuxSystem", "QRWriting", "AuditTrail", "MetricsService", "CommandLineInterface",
            "LoginValues", "MPinClient", "CurlTransport", "SQLiteStore", "Provisioning", "PersonalCards", "Backups",
            "KioskPorts", "KioskMachine", "KioskRuntime", "Capture", "ScannerLink", "DisplayLink", "Keypads", "GPIO",
            "Doors", "Signage", "Speech", "WebScreen", "HostIntegration", "CICUStubData", logging, argumentParser,
            serviceLifecycle,
        ]),
    .executableTarget(
        name: "login-kiosk-scanner",
        dependencies: ["LinuxSystem", "KioskPorts", "ConfinedProcess", "Capture", "Scanning"]),
    .testTarget(
        name: "login-kiosk-scannerTests",
        dependencies: [
            "login-kiosk-scanner", "CSeccomp", "ConfinedProcess", "LinuxSystem", "KioskPorts", "Patience",
            "PictureTestKit",
        ]),
    .executableTarget(
        name: "login-kiosk-display",
        dependencies: ["CDRM", "LinuxSystem", "KioskPorts", "ConfinedProcess", "Display"]),
    .testTarget(
        name: "login-kiosk-displayTests",
        dependencies: [
            "login-kiosk-display", "LinuxSystem", "KioskPorts", "ConfinedProcess", "Display", "Patience",
        ]),
]

// The other side of the wire. Of the SDK it uses the cryptography alone.
let backend: [Target] = [
    .target(
        name: "BackendValues", dependencies: ["COpenSSL", "Encoding", "LinuxSystem", "Sealing"],
        resources: [.embedInCode("Words")]),
    .testTarget(name: "BackendValuesTests", dependencies: ["BackendValues", "Patience"]),
    .target(name: "OpenIDProvider", dependencies: ["BackendValues"]),
    .testTarget(name: "OpenIDProviderTests", dependencies: ["OpenIDProvider", "Patience"]),
    .target(
        name: "MPinServer",
        dependencies: [
            "COpenSSL", "LinuxSystem", "MPinCrypto", "BackendValues", "OpenIDProvider", logging, serviceLifecycle,
        ]),
    .target(
        name: "BackendDatabases", dependencies: ["MPinCrypto", "MPinServer", "PostgreSQL", grdb]),
    .target(
        name: "BackendHTTP",
        dependencies: [
            "LinuxSystem", "ConnectionLimits", "BackendValues", logging, serviceLifecycle, hummingbird,
            hummingbirdCore, nioCore, nioHTTP1, nioHTTPTypes, nioHTTPTypesHTTP1, httpTypes,
        ]),
    .target(
        name: "OperatorPage",
        dependencies: [
            "LinuxSystem", "MPinCrypto", "MPinServer", "BackendHTTP", logging, serviceLifecycle, hummingbird, httpTypes,
        ], resources: [.embedInCode("Page")]),
    .target(
        name: "ReferenceBackend",
        dependencies: [
            "CCurl", "LinuxSystem", "QRWriting", "MPinCrypto", "OpenIDProvider", "MPinServer", "BackendDatabases",
            "BackendHTTP", "OperatorPage", logging, argumentParser, serviceLifecycle, hummingbird, hummingbirdCore,
            nioCore, nioPosix, httpTypes,
        ], resources: [.embedInCode("Page")]),
    .testTarget(
        name: "ReferenceBackendTests",
        dependencies: [
            "LoginValues", "MPinServer", "BackendDatabases", "BackendHTTP", "OperatorPage", "ReferenceBackend",
            "BackendTLS", "BackendTestKit", "KioskTestKit", "Patience", "PostgreSQLTestKit", hummingbirdTesting,
            nioEmbedded,
        ]),
    .target(
        name: "BackendTLS",
        dependencies: ["BackendHTTP", logging, hummingbirdCore, hummingbirdHTTP2, nioCore, nioSSL]),
    .target(name: "PostgreSQL", dependencies: ["CPostgres", "LinuxSystem"]),
    .testTarget(name: "PostgreSQLTests", dependencies: ["PostgreSQL", "Patience", "PostgreSQLTestKit"]),
    .executableTarget(
        name: "login-kiosk-backend",
        dependencies: [
            "LinuxSystem", "AuditTrail", "MetricsService", "CommandLineInterface", "BackendDatabases", "BackendHTTP",
            "OperatorPage", "ReferenceBackend", logging, argumentParser, serviceLifecycle,
        ] + (hasTLS ? ["BackendTLS"] : [])),
]

// Demonstration, measurements and checks.
let tools: [Target] = [
    .target(
        name: "SimulatedCamera", dependencies: ["LinuxSystem", "SeededRandom", "KioskPorts", "Capture"]),
    .testTarget(
        name: "SimulatedCameraTests", dependencies: ["SimulatedCamera", "Scanning", "Patience", "PictureTestKit"]),
    .executableTarget(
        name: "login-kiosk-demo",
        dependencies: [
            "Encoding", "LinuxSystem", "CommandLineInterface", "KioskPorts", "Signage", "SimulatedCamera", logging,
            argumentParser, serviceLifecycle, subprocess, systemPackage,
        ]),
    .executableTarget(
        name: "login-kiosk-dev",
        dependencies: [
            "COpenSSL", "CValgrind", "LinuxSystem", "CommandLineInterface", "SeededRandom", "LoginValues", "MPinCrypto",
            "MPinClient", "CurlTransport", "SQLiteStore", "KioskPorts", "KioskMachine", "Capture", "Scanning",
            "Keypads", "GPIO", "Signage", "Display", "KioskTestKit", "MPinVectors", logging, argumentParser,
        ]),
    .testTarget(
        name: "login-kiosk-devTests",
        dependencies: ["login-kiosk-dev", "CommandLineInterface", "MPinClient", "PictureTestKit"]),
]

// Fakes, pictures and servers that tests share.
let kits: [Target] = [
    .target(
        name: "KioskTestKit", dependencies: ["Patience", "LoginValues", "MPinClient", "KioskPorts", logging]),
    .target(name: "Patience", dependencies: ["SeededRandom"]),
    .testTarget(name: "PatienceTests", dependencies: ["Patience"]),
    .target(name: "PictureTestKit", dependencies: ["CPNG", "CQREncode", "Patience", "Capture"]),
    .target(name: "PostgreSQLTestKit", dependencies: ["Patience"]),
    .target(
        name: "BackendTestKit",
        dependencies: [
            "COpenSSL", "MPinCrypto", "BackendValues", "MPinServer", "BackendDatabases", "BackendHTTP",
            "ReferenceBackend", "BackendTLS", "KioskTestKit", "Patience", argumentParser, serviceLifecycle,
            hummingbirdTesting, nioCore, nioPosix, httpTypes,
        ]),
    .target(name: "ScreenTestKit", dependencies: ["LoginValues", "KioskPorts", "KioskMachine"]),
    .target(name: "MPinVectors", dependencies: ["MPinCrypto"]),
]

// Kiosk and backend together, the programs as users start them, and the rules of the architecture.
let acceptance: [Target] = [
    .testTarget(
        name: "KioskAndBackendTests",
        dependencies: [
            "MPinServer", "BackendDatabases", "ReferenceBackend", "BackendTestKit", "CurlTransport", "SQLiteStore",
            "PersonalCards", "KioskMachine", "KioskRuntime", "KioskTestKit", "Patience",
        ]),
    .testTarget(
        name: "ProgramTests",
        dependencies: [
            "LinuxSystem", "login-kiosk", "login-kiosk-scanner", "login-kiosk-display", "login-kiosk-backend",
            "login-kiosk-demo", "login-kiosk-dev", "KioskTestKit", "Patience", "PictureTestKit", "PostgreSQLTestKit",
        ]),
    .testTarget(name: "ArchitectureTests"),
]

var targets: [Target] = []
for (group, members) in [
    ("C", c), ("Common", common), ("SDK", sdk), ("Fleet", fleet), ("Kiosk", kiosk), ("Backend", backend),
    ("Tools", tools), ("Kits", kits), ("Acceptance", acceptance),
] {
    for target in members {
        let isForTests = target.type == .test || group == "Kits"
        target.path = "\(isForTests ? "Tests" : "Sources")/\(group)/\(target.name)"
        targets.append(target)
    }
}
if !hasTLS {
    let needTLS = ["BackendTLS", "BackendTestKit", "ReferenceBackendTests", "KioskAndBackendTests"]
    targets.removeAll { needTLS.contains($0.name) }
}

// `LOGIN_KIOSK_ONLY=MPinCrypto,KioskMachine swift test` builds these modules, their tests and what they depend on:
// seconds instead of the minutes that the HTTP server and the database take.
if let only = Context.environment["LOGIN_KIOSK_ONLY"] {
    func name(_ dependency: Target.Dependency) -> String? {
        if case .byNameItem(let name, _) = dependency { name } else { nil }
    }
    var kept = Set(only.split(separator: ",").flatMap { [String($0), "\($0)Tests"] })
    var before = 0
    while kept.count > before {
        before = kept.count
        for target in targets where kept.contains(target.name) { kept.formUnion(target.dependencies.compactMap(name)) }
    }
    targets.removeAll { !kept.contains($0.name) }
}

/// Whether another package uses this one by version: SwiftPM then refuses flags of our own.
let isDependency = Context.packageDirectory.contains("/checkouts/")

for target in targets where target.type != .system {
    var settings: [SwiftSetting] = [
        .swiftLanguageMode(.v6),
        .strictMemorySafety(),  // SE-0458
        .enableUpcomingFeature("ExistentialAny"),  // SE-0335
        .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
        .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
    ]
    // Functions on lent spans say what the span is bound to, as Swift 6.2 asks. docs/versions.md
    if ["MPinClient", "Scanning"].contains(target.name) { settings.append(.enableExperimentalFeature("Lifetimes")) }
    if hasTLS, target.name == "login-kiosk-backend" { settings.append(.define("TLS")) }
    if Context.environment["CI"] != nil { settings.append(.treatAllWarnings(as: .error)) }  // SE-0480
    if !isDependency {
        let isPlain = !["MPinCrypto", "QRReader"].contains(target.name)
        if !isPlain || target.name == "Scanning" {
            // Optimised in debug builds, with assertions: else most of the tests' time is arithmetic in small functions
            // of other files. Remove this to step through them in a debugger.
            let optimised = ["-O", "-wmo", "-num-threads", "2", "-disable-batch-mode", "-assert-config", "Debug"]
            settings.append(.unsafeFlags(optimised, .when(configuration: .debug)))
        }
        if isPlain {
            // Against a fault of the compiler that ends it in optimised builds. docs/versions.md
            settings.append(.unsafeFlags(["-Xllvm", "-simplifycfg-sink-common=false"], .when(configuration: .release)))
        }
    }
    if target.type == .executable, !isDependency {
        // An optimised program offers no names, for nothing loads a library that would ask for them, lists the
        // addresses to be filled in at its start in a bit each, and fills in all of them before it begins.
        // docs/decisions/0056-packages.md
        let lean = ["--no-export-dynamic", "-z", "pack-relative-relocs", "-z", "now"].flatMap { ["-Xlinker", $0] }
        target.linkerSettings = [.unsafeFlags(["-use-ld=lld"] + lean, .when(configuration: .release))]
    }
    if c.contains(where: { $0 === target }), !isDependency {
        // Code in C that wrote behind the end of something ends the program, as in Debian's own packages.
        let guarded = ["-fstack-protector-strong", "-D_FORTIFY_SOURCE=3"]
        target.cSettings = [.unsafeFlags(guarded, .when(configuration: .release))]
        target.cxxSettings = [.unsafeFlags(guarded, .when(configuration: .release))]
    } else {
        target.swiftSettings = settings
    }
}

var products: [Product] = []
// `MPinClient` speaks in the words of `LoginValues`: a program that imports the one imports the other.
for (library, members) in [
    ("MPinClient", ["MPinClient", "LoginValues"]), ("MPinCrypto", ["MPinCrypto"]), ("CurlTransport", ["CurlTransport"]),
    ("SQLiteStore", ["SQLiteStore"]),
] where targets.contains(where: { $0.name == library }) {
    products.append(.library(name: library, targets: members))
}
// Fuzz/Package.swift uses modules that are no product.
if Context.environment["LOGIN_KIOSK_FUZZ"] != nil {
    for target in targets where target.type == .regular && !products.contains(where: { $0.name == target.name }) {
        products.append(.library(name: target.name, targets: [target.name]))
    }
}
for target in targets where target.type == .executable {
    products.append(.executable(name: target.name, targets: [target.name]))
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
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.0"),
    ] + (hasTLS ? [.package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0")] : []),
    targets: targets,
    cxxLanguageStandard: .cxx17
)
