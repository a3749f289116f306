// SPDX-License-Identifier: Apache-2.0

/// Why the demonstration did not go on.
struct DemoFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
