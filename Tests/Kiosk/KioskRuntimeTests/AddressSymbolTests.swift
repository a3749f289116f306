// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LoginValues
import Patience
import Testing
@testable import KioskRuntime

@Suite("An e-mail address in a QR code")
struct AddressSymbolTests {
    static func address(_ bytes: [UInt8], parts: Int = 1) -> String? {
        let sighting = SymbolSighting(
            captured: .zero, frameWidth: 640, frameHeight: 480, centreX: 320, centreY: 240, edge: 200, brightness: 128,
            sharpness: 40)
        return Symbol(payload: SecretBytes(copying: bytes), parts: parts, sighting: sighting)
            .flatMap { EmailAddress($0) }?.text
    }

    @Test(arguments: [
        ("alice@example.com", "alice@example.com"), (" Alice@Example.com\r\n", "alice@example.com"),
        ("mailto:alice@example.com", "alice@example.com"),
        ("MAILTO:alice@example.com?subject=x%0A", "alice@example.com"),
        ("mailto:alice%40example.com", "alice@example.com"), ("mailto:a%2Bb@example.com", "a+b@example.com"),
        ("MATMSG:TO:alice@example.com;SUB:Hi\\; there;BODY:to:bob@example.com;;", "alice@example.com"),
        ("matmsg:SUB:x;TO:alice@example.com;;", "alice@example.com"),
        ("MECARD:N:Doe,Alice;TEL:123;EMAIL:alice@example.com;URL:http\\://example.com;;", "alice@example.com"),
        ("MECARD:EMAIL:a\\+b@example.com;;", "a+b@example.com"),
        ("MECARD:EMAIL:alice@example.com;EMAIL:Alice@example.com;;", "alice@example.com"),
        ("BEGIN:VCARD\nVERSION:3.0\nN:Doe;Alice\nEMAIL:alice@example.com\nEND:VCARD", "alice@example.com"),
        (
            "BEGIN:VCARD\r\nVERSION:4.0\r\nitem1.EMAIL;TYPE=work;PREF=1:alice@exam\r\n ple.com\r\nEND:VCARD\r\n",
            "alice@example.com"
        ),
    ])
    func read(text: String, address: String) { #expect(Self.address(Array(text.utf8)) == address) }

    @Test(arguments: [
        "hello", "alice", "https://login.example.com#c0de", "https://alice@example.com#c0de", "mailto:",
        "mailto:?to=a@b.de",
        "mailto:a@b.de,c@d.de", "mailto:a%4@example.com", "mailto:a%zz@example.com", "mailto:a%", "älice@example.com",
        "MATMSG:SUB:a@example.com;;", "MATMSG:TO:;;", "MATMSG:", "MECARD:N:a@example.com;;",
        "MECARD:EMAIL:a@example.com;EMAIL:b@example.com;;", "MECARD:NOTE:x\\;EMAIL:a@example.com;;",
        "BEGIN:VCARD\nNOTE:EMAIL:a@example.com\nEND:VCARD", "BEGIN:VCARD",
        "BEGIN:VCARD\nEMAIL:a@example.com\nEMAIL:b@example.com\nEND:VCARD",
        "a@b@example.com", "a@example.com\nb@example.com", "mailto:a%0A@example.com", "mailto:a%00@example.com",
    ])
    func anythingElse(text: String) { #expect(Self.address(Array(text.utf8)) == nil) }

    @Test func aDividedCodeIsNone() { #expect(Self.address(Array("alice@example.com".utf8), parts: 2) == nil) }

    /// Any result has the form of an address, in ASCII only.
    @Test func random() {
        let seed: UInt64 = 0xADD2_E550
        var generator = SplitMix64(seed: seed)
        let pieces = [
            "mailto:", "a", "@", ".", "example", "com", "%", "40", "%40", "?", "#", " ", "\u{0}", "ü", "%FF", "+",
            "MATMSG:", "TO:", "MECARD:", "EMAIL:", ";", "\\", "BEGIN:VCARD", "\n", "\r\n ", "item1.EMAIL;TYPE=x:",
        ]
        for round in 0..<50_000 {
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 1...12, using: &generator) {
                if Int.random(in: 0..<8, using: &generator) == 0 {
                    bytes.append(UInt8.random(in: 0...255, using: &generator))
                } else {
                    bytes += Array((pieces.randomElement(using: &generator) ?? "").utf8)
                }
            }
            guard let address = Self.address(bytes) else { continue }
            #expect(EmailAddress(address)?.text == address, "seed \(seed), round \(round)")
        }
    }
}
