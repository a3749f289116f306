// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// A file of a directory of vectors, known by its name.
package struct VectorFile: Sendable {
    package let name: String
    private let content: Data

    package init(name: String, content: Data) {
        self.name = name
        self.content = content
    }

    /// Runs every case. A file that is no JSON object with an array `cases` is one failure. So is a case with a
    /// missing field, a field of another type, or a value that differs from the computed one.
    package func check() -> VectorReport {
        if Self.otherVariant.contains(name) {
            return VectorReport(file: name, outcome: .skipped(reason: "variant C"))
        }
        guard let check = Self.checks[name] else {
            return VectorReport(file: name, outcome: .skipped(reason: "unknown file"))
        }
        var passed = 0
        var failures: [String] = []
        do {
            for (index, fields) in try cases().enumerated() {
                do {
                    try check(fields)
                    passed += 1
                } catch {
                    failures.append("\(name), case \(index): \(error)")
                }
            }
        } catch {
            failures.append("\(name): \(error)")
        }
        return VectorReport(file: name, outcome: .checked(passed: passed, failures: failures))
    }

    private func cases() throws -> [VectorCase] {
        let document: JSONValue
        do {
            document = try JSONDecoder().decode(JSONValue.self, from: content)
        } catch {
            throw VectorError("not JSON with integer numbers: \(error)")
        }
        guard case .object(let fields) = document else { throw VectorError("not a JSON object") }
        let cases = try VectorCase(fields: fields).objects("cases")
        guard !cases.isEmpty else { throw VectorError("cases: empty") }
        return cases
    }
}

/// The result of one file.
package struct VectorReport: Equatable, Sendable {
    package enum Outcome: Equatable, Sendable {
        /// The number of passed cases, and the fault of each other case.
        case checked(passed: Int, failures: [String])
        case skipped(reason: String)
    }

    package let file: String
    package let outcome: Outcome
}
