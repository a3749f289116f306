// SPDX-License-Identifier: Apache-2.0

import Testing

/// An operator of a fleet, who makes profiles for kiosks.
struct TestOperator {
    /// The file of the operator's key.
    let key: String
    /// The number of the key, which a kiosk's first profile has to be given.
    let number: String
    private let scratch: Scratch

    init(_ name: String = "operator.key", in scratch: Scratch) async throws {
        self.scratch = scratch
        key = scratch.path(name)
        let made = try await Program("login-kiosk").run(["fleet", "operator-key", key]).expect(0)
        number = String(try #require(made.output.firstMatch(of: /number: (.*)/), "\(made)").output.1)
    }

    /// Makes a profile.
    ///
    /// - Parameters:
    ///   - file: the name of its file.
    ///   - settings: what it sets.
    func card(
        _ file: String = "login-kiosk.profile", named name: String = "City library", settings: String? = nil,
        _ options: [String] = []
    ) async throws -> Program.Run {
        let settings = try settings.map { ["--settings", try scratch.write($0, to: "\(file).yaml")] } ?? []
        return try await Program("login-kiosk").run(
            ["fleet", "card", "--operator-key", key, "--name", name, "--file", scratch.path(file)] + settings + options)
    }
}
