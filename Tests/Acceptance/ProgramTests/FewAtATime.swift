// SPDX-License-Identifier: Apache-2.0

import Patience
import Testing

/// Runs two tests at a time for each core. Every suite here has this trait, and starting a program checks that.
struct FewAtATime: SuiteTrait, TestTrait, TestScoping {
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
    static func check() { #expect(isInside, "the test's suite lacks the trait .fewAtATime") }
}

extension Trait where Self == FewAtATime {
    static var fewAtATime: FewAtATime { FewAtATime() }
}
