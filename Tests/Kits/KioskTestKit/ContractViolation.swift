// SPDX-License-Identifier: Apache-2.0

/// A deed of an implementation of a port that the port's contract rules out.
///
/// The contract suites throw it, so that they need no test framework and the program's own checks could run them too.
public struct ContractViolation: Error, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }

    static func check(_ holds: Bool, _ rule: @autoclosure () -> String) throws(ContractViolation) {
        guard holds else { throw ContractViolation(rule()) }
    }
}
