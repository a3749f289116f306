// SPDX-License-Identifier: Apache-2.0

/// Why a reply's body is not what was expected. Names keys that we ask for and positions, never what the body says.
struct JSONError: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
