// SPDX-License-Identifier: Apache-2.0

import Patience
import Testing

/// Runs as many tests at a time as there are cores. Every suite here has this trait, and starting a program checks
/// that.
struct OneACore: SuiteTrait, TestTrait, TestScoping {
    @TaskLocal static var isInside = false

    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil, !Self.isInside else { return try await function() }
        try await CoreGate.shared.pass {
            try await Self.$isInside.withValue(true) { try await function() }
        }
    }

    /// Called when a program is started.
    static func check() { #expect(isInside, "the test's suite lacks the trait .oneACore") }
}

extension Trait where Self == OneACore {
    static var oneACore: OneACore { OneACore() }
}
