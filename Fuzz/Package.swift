// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// A package of its own, so that nobody who builds the product builds it. `make fuzz` makes
// `.build-package` of the modules (Tests/only.sh), builds this package and runs it.
let modules = [
    "Encoding", "LoginValues", "MPinCrypto", "MPinClient", "PersonalCards", "Provisioning", "Backups", "KioskPorts",
    "KioskMachine", "KioskRuntime", "Capture", "QRReader", "Scanning", "Keypads", "HostIntegration", "KioskTestKit",
]

let package = Package(
    name: "login-kiosk-fuzz",
    dependencies: [.package(name: "login-kiosk", path: ".build-package")],
    targets: [
        .executableTarget(
            name: "fuzz", dependencies: modules.map { .product(name: $0, package: "login-kiosk") }, path: "Targets",
            swiftSettings: [
                .swiftLanguageMode(.v6), .strictMemorySafety(), .enableUpcomingFeature("ExistentialAny"),
                // libFuzzer brings `main`.
                .unsafeFlags(["-parse-as-library"]),
            ])
    ],
    cxxLanguageStandard: .cxx17
)
