// SPDX-License-Identifier: Apache-2.0

/// What is wrong with a case, or with the computation that it describes.
package struct VectorError: Error, Equatable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
