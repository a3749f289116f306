// SPDX-License-Identifier: Apache-2.0

/// Why a data set cannot be run: what is wrong, where, and what to do.
struct ManifestError: Error, Equatable, CustomStringConvertible {
    let place: String
    let problem: String
    let remedy: String

    var description: String { "\(place): \(problem); \(remedy)" }
}
