// SPDX-License-Identifier: Apache-2.0

import Testing

/// Which room may know which, and why: the drawing in docs/architecture.md as data.
enum House {
    struct Room: Sendable, CustomTestStringConvertible {
        var name: String
        /// Rooms, packages and system modules beyond ``everywhere``.
        var knows: Set<String>
        var reason: String

        var testDescription: String { name }

        func mayImport(_ module: String) -> Bool {
            House.everywhere.contains(module) || knows.contains(module)
        }
    }

    /// The language's own modules and the C library.
    static let everywhere: Set<String> = ["Swift", "Glibc", "Musl", "Synchronization", "Dispatch"]

    static func isCLibrary(_ name: String) -> Bool {
        name.hasPrefix("C") && name.dropFirst().first?.isUppercase == true
    }

    /// What a program must not reach over any number of rooms: a kiosk is small, and none is both sides of the wire.
    static let never: [(program: String, modules: Set<String>)] = [
        ("login-kiosk", backend.union(["SimulatedCamera", "Scanning", "KioskTestKit"])),
        (
            "login-kiosk-scanner",
            backend.union([
                "SimulatedCamera", "MPinClient", "KioskRuntime", "Signage", "WebScreen", "HostIntegration",
                "SQLiteStore",
            ])
        ),
        ("login-kiosk-backend", kiosk),
        ("login-kiosk-demo", backend.union(kiosk).subtracting(["KioskCore", "Signage"])),
    ]

    private static let backend: Set<String> = [
        "ReferenceBackend", "BackendTLS", "JWTKit", "CryptoExtras", "HummingbirdTLS", "NIOSSL",
    ]
    private static let kiosk: Set<String> = [
        "MPinClient", "CurlTransport", "SQLiteStore", "KioskCore", "KioskRuntime", "Signage", "WebScreen", "Keypads",
        "ScannerLink", "Doors", "HostIntegration", "Scanning",
    ]

    /// All that a room knows, and what these know.
    static func reach(of name: String) -> Set<String> {
        var reached: Set<String> = []
        var waiting = [name]
        while let next = waiting.popLast() {
            for module in rooms.first(where: { $0.name == next })?.knows ?? [] where reached.insert(module).inserted {
                waiting.append(module)
            }
        }
        return reached
    }

    private static let foundation: Set<String> = ["Foundation", "FoundationEssentials"]

    static let rooms: [Room] = [
        Room(
            name: "LoginValues", knows: [],
            reason: "the values are the bottom of the house, and the scanner's confined process stands on them"),
        Room(
            name: "MPinCrypto", knows: ["COpenSSL"],
            reason: "cryptography that can be read, tested and reused alone; libcrypto only for SHA-256 and randomness"),
        Room(
            name: "SeededRandomness", knows: [],
            reason: "numbers that come again are for tests and for the film of a scene; they know nobody's secret"),
        Room(
            name: "LinuxSystem", knows: ["CProcess"],
            reason: "every process stands on it, the confined scanner too, so that it knows nothing but the kernel"),
        Room(
            name: "Waiting", knows: [],
            reason: "whoever waits may know it, so that it knows nobody"),
        Room(
            name: "QRWriting", knows: ["CQREncode"],
            reason: "it draws whatever text it is given, and must not know what texts there are"),
        Room(
            name: "MPinClient", knows: ["MPinCrypto", "LoginValues", "Logging", "FoundationEssentials"],
            reason: "the SDK is usable without a kiosk: it gets its network and its storage through ports"),
        Room(
            name: "CurlTransport",
            knows: ["MPinClient", "LoginValues", "CCurl", "COpenSSL", "Logging", "FoundationEssentials"],
            reason: "the HTTP client moves bytes and must not know what they mean"),
        Room(
            name: "SQLiteStore",
            knows: foundation.union([
                "MPinClient", "LoginValues", "LinuxSystem", "COpenSSL", "GRDB", "Logging",
            ]),
            reason: "the store keeps sealed records and must not know what they mean"),
        Room(
            name: "KioskCore", knows: ["LoginValues"],
            reason: "the machine has no clock, network, log or secret, so that every race is a table test"),
        Room(
            name: "KioskRuntime",
            knows: foundation.union([
                "KioskCore", "MPinClient", "LoginValues", "Waiting", "Logging", "Subprocess", "SystemPackage",
            ]),
            reason: "the runtime joins machine and SDK; it reaches hardware through the ports of KioskCore only"),
        Room(
            name: "GPIO", knows: ["KioskCore", "CGPIO"],
            reason: "it moves levels and must not know what hangs at the lines"),
        Room(
            name: "Keypads", knows: ["KioskCore", "GPIO", "CInput", "LoginValues", "FoundationEssentials"],
            reason: "a keypad must not know what its keys are for"),
        Room(
            name: "Signage", knows: ["KioskCore", "LoginValues", "FoundationEssentials"],
            reason: "a screen shows views and must not know the machine's other half"),
        Room(
            name: "WebScreen",
            knows: [
                "KioskCore", "LoginValues", "LinuxSystem", "Signage", "Waiting", "CTurboJPEG", "Hummingbird",
                "HummingbirdCore",
                "HTTPTypes", "NIOCore", "ServiceLifecycle", "Logging", "FoundationEssentials",
            ],
            reason: "a page shows views; the machine, the SDK and the backend are out of a browser's reach"),
        Room(
            name: "Capture", knows: ["KioskCore", "CPNG", "CTurboJPEG", "CV4L2", "FoundationEssentials"],
            reason: "this is linked into the confined scanner, which needs no network, no store and no full Foundation"),
        Room(
            name: "Scanning", knows: ["KioskCore", "LoginValues", "CZBar", "CZXing"],
            reason: "decoding happens in a confined process that holds no secret and no other code"),
        Room(
            name: "ScannerLink",
            knows: ["KioskCore", "LoginValues", "LinuxSystem", "Waiting", "Subprocess", "SystemPackage", "Logging"],
            reason: "it starts the process that decodes pictures; with Scanning in reach it would be that process"),
        Room(
            name: "Doors",
            knows: [
                "KioskCore", "MPinClient", "LoginValues", "LinuxSystem", "Waiting", "Subprocess", "SystemPackage",
                "Logging", "FoundationEssentials",
            ],
            reason: "it opens for whoever is logged in, and must not know how that came about or which chip it is"),
        Room(
            name: "SimulatedCamera",
            knows: foundation.union([
                "FoundationNetworking", "KioskCore", "Capture", "CPNG", "CTurboJPEG", "LoginValues",
                "SeededRandomness",
            ]),
            reason: "it films a page as a browser shows it; with the SDK's transport or the backend it could cheat"),
        Room(
            name: "HostIntegration",
            knows: foundation.union(["LoginValues", "LinuxSystem", "CTimex", "Configuration", "Yams"]),
            reason: "the machine's side of the kiosk must not know the kiosk's flow or the SDK"),
        Room(
            name: "ReferenceBackend",
            knows: foundation.union([
                "FoundationNetworking", "MPinCrypto", "LinuxSystem", "Waiting", "QRWriting", "COpenSSL", "CPNG",
                "CCurl",
                "Hummingbird", "HummingbirdCore", "HTTPTypes", "NIOCore", "NIOHTTP1",
                "NIOHTTPTypes", "NIOHTTPTypesHTTP1", "NIOPosix", "ServiceLifecycle", "GRDB", "Logging",
            ]),
            reason: "client and server are written twice on purpose: a shared mistake would pass every test"),
        Room(
            name: "BackendTLS", knows: ["ReferenceBackend", "HummingbirdCore", "HummingbirdTLS"],
            reason: "a backend behind a proxy is built without, so that it must not know what is served"),
        Room(
            name: "KioskTestKit",
            knows: foundation.union([
                "KioskCore", "KioskRuntime", "MPinClient", "MPinCrypto", "LoginValues", "SeededRandomness", "Testing",
                "Logging",
            ]),
            reason: "fakes stand for ports; a fake that knows a real leaf is no fake"),
        Room(
            name: "Patience", knows: [],
            reason: "it measures the machine for tests, and must not know what they wait for"),
        Room(
            name: "PictureTestKit", knows: foundation.union(["Capture", "SeededRandomness", "CQREncode", "CPNG"]),
            reason: "it makes pictures for tests; with Scanning in reach it would judge its own work"),
        Room(
            name: "login-kiosk-scanner",
            knows: ["Capture", "Scanning", "KioskCore", "LinuxSystem", "CSeccomp", "FoundationEssentials"],
            reason: "decoders in C and C++ meet hostile pictures here: nothing else may be in reach"),
        Room(
            name: "MPinVectors", knows: foundation.union(["MPinCrypto"]),
            reason: "it proves the cryptography alone"),
        Room(
            name: "PseudoTerminals", knows: [],
            reason: "a terminal must not know which program writes to it"),
        Room(
            name: "CommandLineInterface",
            knows: foundation.union(["LinuxSystem", "ArgumentParser", "ServiceLifecycle", "Logging"]),
            reason: "kiosk, backend and demonstration stand on it: what one of them is about would reach the others"),
        Room(
            name: "login-kiosk",
            knows: foundation.union([
                "CommandLineInterface", "LoginValues", "LinuxSystem", "KioskCore", "KioskRuntime", "MPinClient",
                "CurlTransport", "SQLiteStore", "ScannerLink", "Doors", "HostIntegration", "Keypads", "GPIO", "Signage",
                "WebScreen", "Capture", "QRWriting", "ArgumentParser", "ServiceLifecycle", "UnixSignals", "Logging",
            ]),
            reason:
                "the program wires the rooms together but stays out of Scanning, which belongs to the other process, "
                + "and out of the backend and the simulated camera, which no kiosk needs"),
        Room(
            name: "login-kiosk-backend",
            knows: foundation.union([
                "CommandLineInterface", "LinuxSystem", "ReferenceBackend", "BackendTLS", "ArgumentParser",
                "ServiceLifecycle",
                "Logging",
            ]),
            reason: "a server holds no part of a client"),
        Room(
            name: "login-kiosk-demo",
            knows: foundation.union([
                "FoundationNetworking", "CommandLineInterface", "LinuxSystem", "Waiting", "KioskCore", "Signage",
                "PseudoTerminals", "SimulatedCamera", "ArgumentParser", "ServiceLifecycle", "Subprocess",
                "SystemPackage", "Logging",
            ]),
            reason: "it shows the programs that users run: with a part of kiosk or backend in it, it would show its own"
        ),
        Room(
            name: "login-kiosk-dev",
            knows: foundation.union([
                "CommandLineInterface", "LinuxSystem", "LoginValues", "MPinCrypto", "MPinVectors", "MPinClient",
                "CurlTransport", "SQLiteStore", "KioskCore", "GPIO", "Keypads", "Signage", "Capture", "Scanning",
                "KioskTestKit", "PseudoTerminals", "COpenSSL", "CValgrind", "ArgumentParser", "Logging",
            ]),
            reason: "it measures what users run, through what users call: the backend is a program to it"),
    ]
}
