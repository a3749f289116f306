// SPDX-License-Identifier: Apache-2.0

/// Benchmarks that are run together. Each has a file of its own that extends this type.
struct BenchmarkGroup: Sendable {
    /// What `--only` selects it by.
    var name: String
    var run: @Sendable () async throws -> [Measurement]

    static let all: [BenchmarkGroup] = [.crypto, .login, .backend, .keys]
}
