// SPDX-License-Identifier: Apache-2.0

/// An action of a port's implementation that breaks the port's contract.
///
/// The contract suites throw it, so that they need no test framework and the program's own checks can run them too.
public struct ContractViolation: Error, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }

    static func check(_ holds: Bool, _ rule: @autoclosure () -> String) throws(ContractViolation) {
        guard holds else { throw ContractViolation(rule()) }
    }
}
