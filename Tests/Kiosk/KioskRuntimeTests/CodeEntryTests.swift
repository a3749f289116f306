// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LoginValues
import Testing
@testable import KioskRuntime

@Suite("The access code that is typed")
struct CodeEntryTests {
    static func text(_ entry: CodeEntry) -> String {
        entry.text.withBytes { bytes in
            var text = ""
            for index in bytes.indices { text.unicodeScalars.append(Unicode.Scalar(bytes[index])) }
            return text
        }
    }

    @Test func digitsAndLettersAsTheyCome() {
        var entry = CodeEntry()
        #expect(entry.isEmpty)
        for digit in [1, 1, 9] as [UInt8] { entry.press(digit, tapsLetters: false) }
        for character in "aF-_ .@üé\n" { entry.append(character) }
        #expect(Self.text(entry) == "119aF-_")
        let wasRemoved = entry.removeLast()
        #expect(wasRemoved)
        #expect(Self.text(entry) == "119aF-")
        entry.removeAll()
        let wasRemovedAgain = entry.removeLast()
        #expect(!wasRemovedAgain)
    }

    @Test func lettersOfANumberPad() {
        var entry = CodeEntry()
        for digit in [2, 2, 3, 3, 3, 3] as [UInt8] { entry.press(digit, tapsLetters: true) }
        #expect(Self.text(entry) == "b3")
        entry.acceptTap()
        entry.press(3, tapsLetters: true)
        #expect(Self.text(entry) == "b3d")
        // The next press does not change a character that was deleted.
        _ = entry.removeLast()
        entry.press(3, tapsLetters: true)
        #expect(Self.text(entry) == "b3d")
        entry.press(7, tapsLetters: false)
        entry.press(7, tapsLetters: false)
        #expect(Self.text(entry) == "b3d77")
    }

    @Test func itIsFullAtItsCapacity() {
        var entry = CodeEntry()
        for _ in 0..<100 { entry.press(7, tapsLetters: false) }
        entry.append("a")
        entry.press(2, tapsLetters: true)
        entry.press(2, tapsLetters: true)
        #expect(Self.text(entry) == String(repeating: "7", count: CodeEntry.capacity))
    }

    @Test func itPrintsNothing() {
        var entry = CodeEntry()
        for character in "c0de1" { entry.append(character) }
        #expect(!"\(entry)".contains("c0de1"))
        let view = KioskView(.codeEntry, .ask, title: Prompt(.codeEntryTitle), entry: .code(entry.text))
        var dumped = ""
        dump(view, to: &dumped)
        #expect(!dumped.contains("c0de1") && !"\(view)".contains("c0de1"))
    }

    @Test(arguments: [
        (["login.example.com"], ["https://login.example.com"]), (["a.example:8443"], ["https://a.example:8443"]),
        (["*.example.com", "b.example"], ["https://b.example"]), (["127.0.0.1:8480"], ["http://127.0.0.1:8480"]),
        (["localhost"], ["http://localhost:443"]), (["*.example.com"], []), ([], []),
    ])
    func servicesOfATrustList(lines: [String], addresses: [String]) throws {
        let trust = TrustPolicy(entries: try lines.map { try TrustEntry($0) }, allowsLoopbackHTTP: true)
        let services = TypedService.all(of: trust)
        #expect(services.map(\.baseURL) == addresses)
        for service in services {
            let symbol = service.symbol(accessCode: SecretBytes(copying: Array("c0de".utf8)))
            let request = try symbol.withBytes { bytes in try LoginRequest(symbol: bytes) }
            #expect(trust.allows(request.baseURL.origin) && request.accessCode == AccessCode("c0de"))
        }
    }

    @Test func withoutADemonstrationThereIsOnlyHTTPS() throws {
        let trust = TrustPolicy(entries: [try TrustEntry("127.0.0.1:8480")])
        #expect(TypedService.all(of: trust).map(\.baseURL) == ["https://127.0.0.1:8480"])
    }
}
