// SPDX-License-Identifier: Apache-2.0

/// The reason why a text is not the expected JSON. It names positions and the keys that the program looks for, never
/// content of the text.
package struct JSONError: Error, Equatable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
