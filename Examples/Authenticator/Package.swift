// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
    name: "Authenticator",
    dependencies: [
        // The name says which one it is, however the folder of the checkout is called. Without its traits it is the SDK
        // alone.
        .package(name: "login-kiosk", path: "../..", traits: []),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    ],
    targets: [
        .executableTarget(
            name: "authenticator",
            dependencies: [
                .product(name: "MPinClient", package: "login-kiosk"),
                .product(name: "CurlTransport", package: "login-kiosk"),
                .product(name: "SQLiteStore", package: "login-kiosk"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: ".", sources: ["LogIn.swift", "main.swift"])
    ]
)
