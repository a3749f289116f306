// SPDX-License-Identifier: Apache-2.0

import Testing

/// The test program's entry point. SwiftPM would otherwise look for XCTest's classes in the compiler's index, which no build
/// here writes, and the tests have none. `swift test` runs the program for each of the two libraries.
@main
struct Tests {
    static func main() async {
        guard CommandLine.arguments.contains("swift-testing") else { return }
        await Testing.__swiftPMEntryPoint() as Never
    }
}
