// SPDX-License-Identifier: Apache-2.0

/// Why a text is not the JSON that was expected. Names keys that the program asks for and positions, never what the
/// text says.
package struct JSONError: Error, Equatable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
