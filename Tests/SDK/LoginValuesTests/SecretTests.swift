// SPDX-License-Identifier: Apache-2.0

import LoginValues
import Testing

@Suite("Secrets do not show")
struct SecretTests {
    static func entry(_ digits: String) -> PinEntry {
        var entry = PinEntry()
        for digit in digits.utf8 { entry.append(digit - UInt8(ascii: "0")) }
        return entry
    }

    /// Every text that a careless log line could print of a value.
    static func renderings(of value: Any) -> String {
        var dumped = ""
        dump(value, to: &dumped)
        return "\(value) \(String(reflecting: value)) \(dumped)"
    }

    @Test func redaction() throws {
        let code = try #require(AccessCode("7a65de7b2ea743e7"))
        #expect(!Self.renderings(of: code).contains("7a65"))
        let bytes = SecretBytes(copying: Array("7a65".utf8))
        let shown = Self.renderings(of: bytes)
        #expect(!shown.contains("7a65") && !shown.contains("55") && shown.contains("4 bytes"))
        let text = "https://login.example.com#7a65de7b"
        let request = try LoginRequest(symbol: Array(text.utf8).span)
        #expect(!Self.renderings(of: request).contains("7a65"))
        let address = try WebAddress("https://a.example/signature/00?regOTT=7a65de7b")
        #expect(!"\(address)".contains("7a65"))
    }

    @Test func equalityIsByContent() {
        #expect(SecretBytes(copying: [1, 2, 3]) == SecretBytes(copying: [1, 2, 3]))
        #expect(SecretBytes(copying: [1, 2, 3]) != SecretBytes(copying: [1, 2, 4]))
        #expect(SecretBytes(copying: [1, 2, 3]) != SecretBytes(copying: [1, 2]))
        #expect(SecretBytes(copying: []) == SecretBytes(copying: []))
    }

    @Test func filling() {
        struct Refused: Error {}
        let bytes = SecretBytes(count: 3) { $0[1] = 7 }
        #expect(bytes.withBytes { [$0[0], $0[1], $0[2]] } == [0, 7, 0])
        #expect(throws: Refused.self) {
            try SecretBytes(count: 3) { (_: inout MutableSpan<UInt8>) throws(Refused) in throw Refused() }
        }
    }

    @Test("A PIN has four to six digits", arguments: ["", "123", "1234", "12345", "123456", "1234567"])
    func pinLengths(digits: String) {
        let pin = Pin(Self.entry(digits))
        // The seventh key is ignored, so that an extra key does not change the PIN.
        let expected = digits.count >= 4 ? min(digits.count, 6) : nil
        switch pin {
        case .some(let pin): #expect(pin.length == expected)
        case .none: #expect(expected == nil)
        }
    }

    @Test func pinEditing() throws {
        var entry = Self.entry("1299")
        entry.removeLast()
        entry.removeLast()
        entry.append(3)
        entry.append(4)
        let tookTen = entry.append(10)
        #expect(!tookTen)
        let count = entry.count
        #expect(count == 4)
        guard let edited = Pin(entry), let same = Pin(Self.entry("1234")), let other = Pin(Self.entry("1235")) else {
            Issue.record("four digits are a PIN")
            return
        }
        let (matches, differs) = (edited.matches(same), edited.matches(other))
        #expect(matches && !differs)
        let digits = edited.withDigits { digits in digits.indices.map { digits[$0] } }
        #expect(digits == Array("1234".utf8))

        var cleared = Self.entry("1234")
        cleared.removeAll()
        let isEmpty = cleared.isEmpty
        #expect(isEmpty)
    }

    @Test func zeros() {
        guard let zeros = Pin(Self.entry("0000")), let one = Pin(Self.entry("0001")) else {
            Issue.record("four digits are a PIN")
            return
        }
        let (allZero, notAllZero) = (zeros.isAllZeros, one.isAllZeros)
        #expect(allZero && !notAllZero)
    }
}
