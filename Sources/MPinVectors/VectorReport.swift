// SPDX-License-Identifier: Apache-2.0

/// What came of one file.
package struct VectorReport: Equatable, Sendable {
    package enum Outcome: Equatable, Sendable {
        /// The number of passed cases, and what is wrong with each of the others.
        case checked(passed: Int, failures: [String])
        case skipped(reason: String)
    }

    package let file: String
    package let outcome: Outcome
}
