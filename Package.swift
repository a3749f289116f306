// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// A module is the last part of its path: `Sources/SDK/LoginValues`, `Tests/SDK/LoginValuesTests`. `docs/architecture.md`
// lists the purpose of each, and the groups that a group may use; ArchitectureTests refuses anything else.

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
let nioHTTPTypesHTTP2 = kioskProduct("NIOHTTPTypesHTTP2", "swift-nio-extras")
let nioHTTP2 = kioskProduct("NIOHTTP2", "swift-nio-http2")
let httpTypes = kioskProduct("HTTPTypes", "swift-http-types")
let yams = kioskProduct("Yams", "Yams")

/// Whether the backend has TLS. `make demo` does without: nio-ssl is 430 units of compilation, and a demonstration
/// speaks HTTP within the machine. With a trait, which is a condition for every module, `make test` after `make demo`
/// would compile everything again.
let hasTLS = Context.environment["LOGIN_KIOSK_TLS"] != "no"

/// Whether another package uses this one by version: SwiftPM then refuses flags of our own.
let isDependency = Context.packageDirectory.contains("/checkouts/")

/// Settings of a module in Swift.
func settings(of module: String) -> [SwiftSetting] {
    var settings: [SwiftSetting] = [
        .swiftLanguageMode(.v6),
        .strictMemorySafety(),  // SE-0458
        .enableUpcomingFeature("ExistentialAny"),  // SE-0335
        .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
        .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
    ]
    // Functions on lent spans say what the span is bound to, as Swift 6.2 asks. docs/versions.md
    if ["MPinClient", "Scanning"].contains(module) { settings.append(.enableExperimentalFeature("Lifetimes")) }
    if hasTLS, module == "login-kiosk-backend" { settings.append(.define("TLS")) }
    if Context.environment["CI"] != nil { settings.append(.treatAllWarnings(as: .error)) }  // SE-0480
    if isDependency { return settings }
    if ["MPinCrypto", "QRReader", "Scanning"].contains(module) {
        // Optimised in debug builds, with assertions: else most of the tests' time is arithmetic in small functions
        // of other files. Remove this to step through them in a debugger.
        let optimised = ["-O", "-wmo", "-num-threads", "2", "-disable-batch-mode", "-assert-config", "Debug"]
        settings.append(.unsafeFlags(optimised, .when(configuration: .debug)))
    }
    if !["MPinCrypto", "QRReader"].contains(module) {
        // Against a fault of the compiler that ends it in optimised builds. docs/versions.md
        settings.append(.unsafeFlags(["-Xllvm", "-simplifycfg-sink-common=false"], .when(configuration: .release)))
    }
    return settings
}

func name(of path: String) -> String { String(path.split(separator: "/").last ?? "") }

func module(_ path: String, _ uses: Target.Dependency..., embedding folder: String? = nil) -> Target {
    .target(
        name: name(of: path), dependencies: uses, path: path, resources: folder.map { [.embedInCode($0)] },
        swiftSettings: settings(of: name(of: path)))
}

/// The uses of a module are those of its tests, too: they are not repeated.
func tests(_ path: String, _ uses: Target.Dependency..., copying folder: String? = nil) -> Target {
    .testTarget(
        name: name(of: path), dependencies: uses, path: path, resources: folder.map { [.copy($0)] },
        swiftSettings: settings(of: name(of: path)))
}

/// An optimised program exports no symbols, because it loads no library that needs them. Its relocations are packed, and
/// all are resolved before it begins. docs/decisions/0056-packages.md
func program(_ path: String, _ uses: Target.Dependency...) -> Target {
    let lean = ["--no-export-dynamic", "-z", "pack-relative-relocs", "-z", "now"].flatMap { ["-Xlinker", $0] }
    let linker = [LinkerSetting.unsafeFlags(["-use-ld=lld"] + lean, .when(configuration: .release))]
    return .executableTarget(
        name: name(of: path), dependencies: uses, path: path, swiftSettings: settings(of: name(of: path)),
        linkerSettings: isDependency ? nil : linker)
}

/// The module map of a library in C, and the package of Debian that has the library's headers.
func header(_ path: String, of package: String, pkgConfig: String? = nil) -> Target {
    .systemLibrary(name: name(of: path), path: path, pkgConfig: pkgConfig, providers: [.apt([package])])
}

/// Code in C. Optimised builds end the program when it writes past the end of a buffer, as Debian's packages do.
func shim(_ path: String, linking library: String? = nil) -> Target {
    let guarded = ["-fstack-protector-strong", "-D_FORTIFY_SOURCE=3"]
    return .target(
        name: name(of: path), path: path,
        cSettings: isDependency ? nil : [.unsafeFlags(guarded, .when(configuration: .release))],
        cxxSettings: isDependency ? nil : [.unsafeFlags(guarded, .when(configuration: .release))],
        linkerSettings: library.map { [.linkedLibrary($0)] })
}

var targets: [Target] = [
    // Module maps of C libraries, and shims where macros or variadics need them. No logic.
    header("Sources/C/COpenSSL", of: "libssl-dev", pkgConfig: "libcrypto"),
    // The library of OpenSSL for TLS, which curl brings.
    header("Sources/C/CSSL", of: "libssl-dev", pkgConfig: "libssl"),
    // Without pkg-config: SwiftPM warns of a flag for Kerberos that Debian 13's has, and the headers need none.
    header("Sources/C/CCurl", of: "libcurl4-openssl-dev"),
    header("Sources/C/CPostgres", of: "libpq-dev"),
    header("Sources/C/CPsl", of: "libpsl-dev", pkgConfig: "libpsl"),
    header("Sources/C/CQREncode", of: "libqrencode-dev", pkgConfig: "libqrencode"),
    header("Sources/C/CPNG", of: "libpng-dev", pkgConfig: "libpng"),
    header("Sources/C/CV4L2", of: "libv4l-dev", pkgConfig: "libv4lconvert"),
    header("Sources/C/CDRM", of: "libdrm-dev", pkgConfig: "libdrm"),
    // SwiftPM warns of its flag -pthread, which glibc does not need.
    header("Sources/C/CPango", of: "libpango1.0-dev", pkgConfig: "pangocairo"),
    header("Sources/C/CZBar", of: "libzbar-dev", pkgConfig: "zbar"),
    header("Sources/C/CValgrind", of: "valgrind"),
    header("Sources/C/CGPIO", of: "linux-libc-dev"),
    header("Sources/C/CInput", of: "linux-libc-dev"),
    header("Sources/C/CSeccomp", of: "linux-libc-dev"),
    header("Sources/C/CProcess", of: "libc6-dev"),
    header("Sources/C/CTimex", of: "libc6-dev"),
    shim("Sources/C/CZXing", linking: "ZXing"),
    // docs/decisions/0108-whole-jpegs.md
    shim("Sources/C/CJPEG", linking: "jpeg"),
    // Empty tables of Foundation's languages, for a kiosk of half the size. docs/decisions/0056-packages.md
    shim("Sources/C/CICUStubData"),

    // Services that the programs share: processes and files, waiting, records of sessions, metrics, command lines.
    module("Sources/Common/Encoding"),
    tests("Tests/Common/EncodingTests", "Encoding", "Patience"),
    module("Sources/Common/Sealing", "COpenSSL", "Encoding"),
    tests("Tests/Common/SealingTests", "Sealing", "Patience"),
    module("Sources/Common/LinuxSystem", "CProcess"),
    tests("Tests/Common/LinuxSystemTests", "LinuxSystem", "Patience"),
    module("Sources/Common/QRWriting", "CPNG", "CQREncode"),
    module("Sources/Common/AuditTrail", "Encoding", "Sealing", "LinuxSystem"),
    tests("Tests/Common/AuditTrailTests", "AuditTrail", "Patience"),
    module(
        "Sources/Common/MetricsService", "LinuxSystem", logging, serviceLifecycle, hummingbird, hummingbirdCore,
        nioCore, httpTypes),
    tests("Tests/Common/MetricsServiceTests", "MetricsService", "Patience", nioEmbedded),
    module(
        "Sources/Common/CommandLineInterface", "LinuxSystem", "AuditTrail", logging, argumentParser, serviceLifecycle),
    tests("Tests/Common/CommandLineInterfaceTests", "CommandLineInterface"),

    // The SDK: values, cryptography, M-Pin, network, storage. Usable without a kiosk; no heavy dependency.
    module("Sources/SDK/LoginValues", "Encoding"),
    tests("Tests/SDK/LoginValuesTests", "LoginValues", "Patience"),
    module("Sources/SDK/MPinCrypto", "COpenSSL", "Sealing"),
    tests("Tests/SDK/MPinCryptoTests", "MPinCrypto", "Patience", "MPinVectors", copying: "Vectors"),
    module("Sources/SDK/MPinClient", "Encoding", "LoginValues", "MPinCrypto", logging),
    tests("Tests/SDK/MPinClientTests", "MPinClient", "KioskTestKit", copying: "Recordings"),
    module(
        "Sources/SDK/CurlTransport", "CCurl", "COpenSSL", "CSSL", "Sealing", "LinuxSystem", "LoginValues", "MPinClient"),
    tests("Tests/SDK/CurlTransportTests", "CurlTransport", "KioskTestKit"),
    module(
        "Sources/SDK/SQLiteStore", "COpenSSL", "Encoding", "Sealing", "LinuxSystem", "LoginValues", "MPinClient", grdb),
    tests("Tests/SDK/SQLiteStoreTests", "SQLiteStore", "KioskTestKit"),

    // Signed settings, personal cards and backups: the files that come to a kiosk from outside.
    module("Sources/Fleet/Provisioning", "COpenSSL", "Encoding", "Sealing", "LinuxSystem", "LoginValues"),
    tests("Tests/Fleet/ProvisioningTests", "Provisioning", "Patience"),
    module("Sources/Fleet/PersonalCards", "Encoding", "Sealing", "LinuxSystem", "LoginValues", "MPinClient"),
    tests("Tests/Fleet/PersonalCardsTests", "PersonalCards", "QRWriting", "Patience"),
    module(
        "Sources/Fleet/Backups", "Encoding", "Sealing", "LinuxSystem", "LoginValues", "MPinClient", "SQLiteStore",
        "Provisioning", "PersonalCards"),
    tests("Tests/Fleet/BackupsTests", "Backups", "Patience", copying: "Recorded"),

    // The kiosk and its scanner.
    module("Sources/Kiosk/KioskPorts", "LoginValues"),
    tests("Tests/Kiosk/KioskPortsTests", "KioskPorts", "Patience"),
    module("Sources/Kiosk/KioskMachine", "Encoding", "LoginValues", "KioskPorts"),
    tests("Tests/Kiosk/KioskMachineTests", "KioskMachine", "Signage", "KioskTestKit", "ScreenTestKit"),
    module(
        "Sources/Kiosk/KioskRuntime", "Encoding", "LinuxSystem", "LoginValues", "MPinClient", "PersonalCards",
        "KioskPorts", "KioskMachine", logging),
    tests("Tests/Kiosk/KioskRuntimeTests", "KioskRuntime", "KioskTestKit", "ScreenTestKit"),
    module("Sources/Kiosk/Capture", "CJPEG", "CPNG", "CV4L2", "LinuxSystem", "KioskPorts"),
    tests("Tests/Kiosk/CaptureTests", "Capture", "PictureTestKit"),
    module("Sources/Kiosk/QRReader", "LoginValues", "KioskPorts"),
    tests("Tests/Kiosk/QRReaderTests", "QRReader", "CQREncode", "Patience"),
    module("Sources/Kiosk/Scanning", "CZBar", "CZXing", "LoginValues", "KioskPorts", "QRReader"),
    tests("Tests/Kiosk/ScanningTests", "Scanning", "QRWriting", "PictureTestKit"),
    module("Sources/Kiosk/ConfinedProcess", "CSeccomp", "LinuxSystem", "KioskPorts"),
    module("Sources/Kiosk/ScannerLink", "LinuxSystem", "KioskPorts", logging, subprocess, systemPackage),
    tests(
        "Tests/Kiosk/ScannerLinkTests", "ScannerLink", "KioskMachine", "KioskTestKit", "PictureTestKit",
        "login-kiosk-scanner"),
    module("Sources/Kiosk/DisplayLink", "LinuxSystem", "KioskPorts", "Signage", logging, subprocess, systemPackage),
    tests("Tests/Kiosk/DisplayLinkTests", "DisplayLink", "KioskTestKit", "ScreenTestKit", "login-kiosk-display"),
    module("Sources/Kiosk/Keypads", "CInput", "LinuxSystem", "KioskPorts", "GPIO"),
    tests("Tests/Kiosk/KeypadsTests", "Keypads", "KioskTestKit"),
    module("Sources/Kiosk/GPIO", "CGPIO", "LinuxSystem", "KioskPorts"),
    tests("Tests/Kiosk/GPIOTests", "GPIO", "KioskTestKit"),
    module(
        "Sources/Kiosk/Doors", "AuditTrail", "Encoding", "LinuxSystem", "LoginValues", "MPinClient", "KioskPorts",
        logging, subprocess, systemPackage),
    tests("Tests/Kiosk/DoorsTests", "Doors", "KioskTestKit", "login-kiosk"),
    module("Sources/Kiosk/Signage", "Encoding", "QRWriting", "LoginValues", "KioskPorts", embedding: "Words"),
    tests("Tests/Kiosk/SignageTests", "Signage", "LinuxSystem", "KioskTestKit", "ScreenTestKit"),
    module("Sources/Kiosk/Display", "CPango", "KioskPorts"),
    tests("Tests/Kiosk/DisplayTests", "Display", "Signage", "ScreenTestKit"),
    module("Sources/Kiosk/Speech", "LinuxSystem", "LoginValues", "KioskPorts", "Signage", subprocess, systemPackage),
    tests("Tests/Kiosk/SpeechTests", "Speech", "KioskMachine", "KioskTestKit"),
    module(
        "Sources/Kiosk/WebScreen", "CJPEG", "Encoding", "LinuxSystem", "MetricsService", "KioskPorts", "Signage",
        logging, serviceLifecycle, hummingbird, hummingbirdCore, nioCore, httpTypes, embedding: "Page"),
    tests("Tests/Kiosk/WebScreenTests", "WebScreen", "KioskMachine", "Capture", "KioskTestKit"),
    module(
        "Sources/Kiosk/HostIntegration", "CPsl", "CTimex", "Encoding", "LinuxSystem", "LoginValues", "CurlTransport",
        "Provisioning", "PersonalCards", "Backups", "KioskPorts", "KioskMachine", "Capture", "DisplayLink", "Signage",
        "Speech", yams, logging, subprocess, systemPackage),
    tests("Tests/Kiosk/HostIntegrationTests", "HostIntegration", "KioskTestKit"),
    program(
        "Sources/Kiosk/login-kiosk", "Encoding", "LinuxSystem", "QRWriting", "AuditTrail", "MetricsService",
        "CommandLineInterface", "LoginValues", "MPinClient", "CurlTransport", "SQLiteStore", "Provisioning",
        "PersonalCards", "Backups", "KioskPorts", "KioskMachine", "KioskRuntime", "Capture", "ScannerLink",
        "DisplayLink", "Keypads", "GPIO", "Doors", "Signage", "Speech", "WebScreen", "HostIntegration", "CICUStubData",
        logging, argumentParser, serviceLifecycle),
    program("Sources/Kiosk/login-kiosk-scanner", "LinuxSystem", "KioskPorts", "ConfinedProcess", "Capture", "Scanning"),
    tests("Tests/Kiosk/login-kiosk-scannerTests", "login-kiosk-scanner", "PictureTestKit"),
    program("Sources/Kiosk/login-kiosk-display", "CDRM", "LinuxSystem", "KioskPorts", "ConfinedProcess", "Display"),
    tests("Tests/Kiosk/login-kiosk-displayTests", "login-kiosk-display", "Patience"),

    // The other side of the wire. Of the SDK it uses the cryptography alone.
    module("Sources/Backend/BackendValues", "COpenSSL", "Encoding", "LinuxSystem", "Sealing", embedding: "Words"),
    tests("Tests/Backend/BackendValuesTests", "BackendValues", "Patience"),
    module("Sources/Backend/OpenIDProvider", "Encoding", "Sealing", "BackendValues"),
    tests("Tests/Backend/OpenIDProviderTests", "OpenIDProvider", "Patience"),
    module(
        "Sources/Backend/MPinServer", "COpenSSL", "Encoding", "Sealing", "LinuxSystem", "MPinCrypto", "BackendValues",
        "OpenIDProvider", logging, serviceLifecycle),
    module(
        "Sources/Backend/BackendDatabases", "Encoding", "Sealing", "MPinCrypto", "BackendValues", "MPinServer",
        "PostgreSQL", grdb),
    module(
        "Sources/Backend/BackendHTTP", "Encoding", "LinuxSystem", "MetricsService", "BackendValues", logging,
        serviceLifecycle, hummingbird, hummingbirdCore, nioCore, nioHTTP1, nioHTTPTypes, nioHTTPTypesHTTP1, httpTypes),
    module(
        "Sources/Backend/OperatorPage", "Encoding", "Sealing", "LinuxSystem", "MPinCrypto", "BackendValues",
        "MPinServer", "BackendHTTP", logging, serviceLifecycle, hummingbird, httpTypes, embedding: "Page"),
    module(
        "Sources/Backend/ReferenceBackend", "CCurl", "Encoding", "Sealing", "LinuxSystem", "QRWriting", "MPinCrypto",
        "BackendValues", "OpenIDProvider", "MPinServer", "BackendDatabases", "BackendHTTP", "OperatorPage", logging,
        argumentParser, serviceLifecycle, hummingbird, hummingbirdCore, nioCore, nioPosix, httpTypes, embedding: "Page"),
    tests(
        "Tests/Backend/ReferenceBackendTests", "ReferenceBackend", "BackendTestKit", "PostgreSQLTestKit", nioEmbedded),
    module(
        "Sources/Backend/BackendTLS", "BackendValues", "BackendHTTP", logging, hummingbirdCore, hummingbirdHTTP2,
        nioCore, nioSSL, nioHTTP2, nioHTTPTypes, nioHTTPTypesHTTP2),
    module("Sources/Backend/PostgreSQL", "CPostgres", "LinuxSystem"),
    tests("Tests/Backend/PostgreSQLTests", "PostgreSQL", "Patience", "PostgreSQLTestKit"),
    program(
        "Sources/Backend/login-kiosk-backend", "Encoding", "LinuxSystem", "AuditTrail", "MetricsService",
        "CommandLineInterface", "BackendValues", "MPinServer", "BackendDatabases", "BackendHTTP", "OperatorPage",
        "ReferenceBackend", logging, argumentParser, serviceLifecycle),

    // Demonstration, measurements and checks.
    module("Sources/Tools/SimulatedCamera", "LinuxSystem", "KioskPorts", "Capture"),
    tests("Tests/Tools/SimulatedCameraTests", "SimulatedCamera", "Scanning", "PictureTestKit"),
    program(
        "Sources/Tools/login-kiosk-demo", "Encoding", "LinuxSystem", "CommandLineInterface", "KioskPorts", "Signage",
        "SimulatedCamera", logging, argumentParser, serviceLifecycle, subprocess, systemPackage),
    program(
        "Sources/Tools/login-kiosk-dev", "COpenSSL", "CValgrind", "LinuxSystem", "CommandLineInterface", "LoginValues",
        "MPinCrypto", "MPinClient", "CurlTransport", "SQLiteStore", "KioskPorts", "KioskMachine", "Capture", "Scanning",
        "Keypads", "GPIO", "Signage", "Display", "SimulatedCamera", "KioskTestKit", "Patience", "MPinVectors", logging,
        argumentParser),
    tests("Tests/Tools/login-kiosk-devTests", "login-kiosk-dev", "PictureTestKit"),

    // Fakes, pictures and servers that tests share.
    module("Tests/Kits/KioskTestKit", "Patience", "LoginValues", "MPinClient", "KioskPorts", logging),
    module("Tests/Kits/Patience"),
    tests("Tests/Kits/PatienceTests", "Patience"),
    module("Tests/Kits/PictureTestKit", "CPNG", "CQREncode", "Patience", "Capture"),
    module("Tests/Kits/PostgreSQLTestKit", "Patience"),
    module(
        "Tests/Kits/BackendTestKit", "COpenSSL", "Encoding", "Sealing", "MPinCrypto", "BackendValues", "MPinServer",
        "BackendDatabases", "BackendHTTP", "ReferenceBackend", "BackendTLS", "KioskTestKit", "Patience", argumentParser,
        serviceLifecycle, hummingbirdTesting, nioCore, nioPosix, httpTypes),
    module("Tests/Kits/ScreenTestKit", "LoginValues", "KioskPorts", "KioskMachine"),
    module("Tests/Kits/MPinVectors", "MPinCrypto"),

    // Kiosk and backend together, the programs as users start them, and the rules of the architecture.
    tests("Tests/Acceptance/KioskAndBackendTests", "BackendTestKit", "CurlTransport", "SQLiteStore", "KioskRuntime"),
    tests(
        "Tests/Acceptance/ProgramTests", "login-kiosk", "login-kiosk-scanner", "login-kiosk-display",
        "login-kiosk-backend", "login-kiosk-demo", "login-kiosk-dev", "SimulatedCamera", "PictureTestKit",
        "PostgreSQLTestKit"),
    tests("Tests/Acceptance/ArchitectureTests"),
]

if hasTLS {
    targets.first { $0.name == "login-kiosk-backend" }?.dependencies.append("BackendTLS")
} else {
    let needTLS = ["BackendTLS", "BackendTestKit", "ReferenceBackendTests", "KioskAndBackendTests"]
    targets.removeAll { needTLS.contains($0.name) }
}

let package = Package(
    name: "login-kiosk",
    products: [
        // `MPinClient` speaks in the words of `LoginValues`: a program that imports the one imports the other.
        .library(name: "MPinClient", targets: ["MPinClient", "LoginValues"]),
        .library(name: "MPinCrypto", targets: ["MPinCrypto"]),
        .library(name: "CurlTransport", targets: ["CurlTransport"]),
        .library(name: "SQLiteStore", targets: ["SQLiteStore"]),
    ] + targets.filter { $0.type == .executable }.map { .executable(name: $0.name, targets: [$0.name]) },
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
    ]
        + (hasTLS
            ? [
                .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
                .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
            ] : []),
    targets: targets,
    cxxLanguageStandard: .cxx17
)
