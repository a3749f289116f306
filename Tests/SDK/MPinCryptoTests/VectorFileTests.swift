// SPDX-License-Identifier: Apache-2.0

import Foundation
import MPinVectors
import Testing

/// The checks find the faults that they are for.
struct VectorFileTests {
    /// Fields for human readers.
    static let remarks: Set<String> = [
        "note", "name", "kind", "reference_accepts", "reference_result", "reference_kangaroo",
    ]

    /// Alters one field of a case of each file at a time. Each alteration must fail.
    @Test(arguments: KnownAnswerTests.checkedFiles)
    func everyFieldCounts(file: String) throws {
        let cases = try Self.cases(of: file)
        // A refused proof stays refused with another fault, so alter an accepted one.
        let refusals: [JSONValue] = [.string("reject"), .string("invalid"), .string("bad_pin")]
        let original = try #require(
            cases.first { fields in
                ["server", "result", "expected"].allSatisfy { name in
                    fields[name].map { !refusals.contains($0) } ?? true
                }
            })
        #expect(try failures(file, original) == 0)
        for (name, value) in original where !Self.remarks.contains(name) {
            for altered in alterations(of: value) {
                var fields = original
                fields[name] = altered
                #expect(try failures(file, fields) == 1, "\(name) does not count")
            }
            if !Self.isOptional(name) {
                var fields = original
                fields[name] = nil
                #expect(try failures(file, fields) == 1, "\(name) may be missing")
            }
        }
    }

    /// Whether some cases of the format lack the field.
    private static func isOptional(_ name: String) -> Bool {
        ["pin_error_true", "maxpin", "server_secret_share_1", "server_secret_share_2", "c_remainder_10000"].contains(
            name)
    }

    private static func cases(of file: String) throws -> [[String: JSONValue]] {
        let document = try JSONDecoder().decode(JSONValue.self, from: KnownAnswerTests.content(of: file))
        guard case .object(let fields) = document, case .array(let cases)? = fields["cases"] else { return [] }
        return cases.compactMap { if case .object(let fields) = $0 { fields } else { nil } }
    }

    private func failures(_ file: String, _ fields: [String: JSONValue]) throws -> Int {
        let content = try JSONEncoder().encode(["cases": [fields]])
        guard case .checked(_, let failures) = VectorFile(name: file, content: content).check().outcome else {
            return -1
        }
        return failures.count
    }

    /// The value with one leaf changed, for each leaf.
    private func alterations(of value: JSONValue) -> [JSONValue] {
        switch value {
        case .null: [.string("00")]
        case .bool(let flag): [.bool(!flag)]
        case .integer(let number): [.integer(number + 1)]
        case .string(let text): [.string(String(text.dropLast()) + (text.hasSuffix("1") ? "2" : "1"))]
        case .array(let elements):
            elements.indices.flatMap { index in
                alterations(of: elements[index]).map { altered in
                    var elements = elements
                    elements[index] = altered
                    return .array(elements)
                }
            }
        case .object(let fields):
            fields.flatMap { name, value in
                alterations(of: value).map { altered in
                    var fields = fields
                    fields[name] = altered
                    return .object(fields)
                }
            }
        }
    }

    @Test(arguments: [
        ("{", "g1-mul.json: not JSON"), ("[]", "g1-mul.json: not a JSON object"), ("{}", "g1-mul.json: cases: missing"),
        (#"{"cases": {}}"#, "g1-mul.json: cases: not an array"), (#"{"cases": []}"#, "g1-mul.json: cases: empty"),
        (#"{"cases": [1]}"#, "g1-mul.json: cases: an element is not an object"),
        (#"{"cases": [{}]}"#, "g1-mul.json, case 0: point: missing"),
        (#"{"cases": [{"point": 4}]}"#, "g1-mul.json, case 0: point: not a string"),
        (#"{"cases": [{"point": "04F"}]}"#, "g1-mul.json, case 0: point: not an even number"),
    ])
    func namesWhatIsWrong(content: String, message: String) throws {
        let report = VectorFile(name: "g1-mul.json", content: Data(content.utf8)).check()
        guard case .checked(passed: 0, let failures) = report.outcome else {
            Issue.record("\(report)")
            return
        }
        #expect(failures.count == 1)
        #expect(failures.first?.hasPrefix(message) == true, "\(failures)")
    }

    @Test
    func anUnknownFileIsSkipped() {
        let report = VectorFile(name: "g3-mul.json", content: Data()).check()
        #expect(report.outcome == .skipped(reason: "unknown file"))
    }
}
