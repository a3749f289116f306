// SPDX-License-Identifier: Apache-2.0

import LoginValues
import Testing

@testable import Signage

@Suite("Codes are shown in groups that are easy to read") struct CodeTextTests {
    @Test(arguments: [
        ("", ""), ("1234", "1234"), ("12345", "1234 5"), ("123456", "123 456"), ("1234567", "1234 567"),
        ("12345678", "1234 5678"), ("123456789", "123 456 789"),
    ])
    func toCopy(_ digits: String, _ shown: String) {
        #expect(CodeText.toCopy(SecretBytes(copying: Array(digits.utf8))) == shown)
    }

    /// A complete group does not move while the next one is typed.
    @Test(arguments: [("123", "123"), ("1234", "1234"), ("12345", "1234 5"), ("123456", "1234 56")])
    func typed(_ code: String, _ shown: String) {
        #expect(CodeText.grouped(SecretBytes(copying: Array(code.utf8))) == shown)
    }

    @Test func apart() {
        #expect(CodeText.spaced(SecretBytes(copying: Array("739164".utf8))) == "7 3 9 1 6 4")
    }
}
