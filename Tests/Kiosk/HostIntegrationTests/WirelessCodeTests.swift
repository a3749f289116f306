// SPDX-License-Identifier: Apache-2.0

import Foundation
import LoginValues
import Patience
import Testing

@testable import HostIntegration

@Suite("Wireless networks as QR codes") struct WirelessCodeTests {
    static func secret(_ text: String) -> SecretBytes { SecretBytes(copying: text.utf8) }

    private static func code(_ text: String) throws(WirelessCodeError) -> WirelessCode {
        try WirelessCode(secret(text))
    }

    @Test(
        "Each kind of network is read",
        arguments: [
            (
                "WIFI:T:WPA;S:Library;P:open sesame;;", "Library", .personal(WirelessCodeTests.secret("open sesame")),
                false
            ),
            (
                "WIFI:S:Library;T:WPA2;P:12345678;H:true;;", "Library", .personal(WirelessCodeTests.secret("12345678")),
                true
            ),
            (
                "WIFI:T:wpa;S:a;P:a\\;b\\:c\\\\d\\,e\\\"f;H:;;", "a",
                .personal(WirelessCodeTests.secret("a;b:c\\d,e\"f")), false
            ),
            // Generators put quotes around what could be taken for hexadecimal digits.
            ("WIFI:T:WPA;S:\"ABCD\";P:\"12345678\";;", "ABCD", .personal(WirelessCodeTests.secret("12345678")), false),
            ("WIFI:T:WPA;S:\\\"x\\\";P:12345678;;", "\"x\"", .personal(WirelessCodeTests.secret("12345678")), false),
            (
                "WIFI:T:WPA;S:key;P:\(String(repeating: "0f", count: 32));;", "key",
                .personal(WirelessCodeTests.secret(String(repeating: "0f", count: 32))), false
            ),
            ("WIFI:T:SAE;S:Größe;P:ключ;R:1;;", "Größe", .simultaneous(WirelessCodeTests.secret("ключ")), false),
            ("WIFI:T:WPA3;S:x;P:y;;", "x", .simultaneous(WirelessCodeTests.secret("y")), false),
            ("WIFI:T:nopass;S:Café;P:;;", "Café", .open, false), ("WIFI:S:Café;H:false;;", "Café", .open, false),
            // Some end with one sign.
            ("WIFI:T:nopass;S:Café;", "Café", .open, false),
        ] as [(String, String, WirelessCode.Security, Bool)])
    func kinds(_ text: String, _ name: String, _ security: WirelessCode.Security, _ isHidden: Bool) throws {
        let code = try Self.code(text)
        #expect(code.name == Array(name.utf8) && code.security == security && code.isHidden == isHidden)
    }

    @Test(
        "Everything else is refused, with its reason",
        arguments: [
            ("", .malformed), ("WIFI:", .malformed), ("WIFI:;;", .malformed), ("wifi:S:a;;", .malformed),
            ("WIFI:T:WPA;S:a;P:12345678", .malformed), ("WIFI:S:a;;more", .malformed), ("WIFI:S:a;;;", .malformed),
            ("WIFI:S:a;S:b;;", .malformed), ("WIFI:S:a;X:b;;", .malformed), ("WIFI:S:a;H:maybe;;", .malformed),
            ("WIFI:S:a\\n;;", .malformed), ("WIFI:S:a\\;", .malformed), ("WIFI:S:a;LONG:b;;", .malformed),
            ("WIFI:S:\(String(repeating: "a", count: 600));;", .malformed),
            ("WIFI:T:WPA;P:12345678;;", .name), ("WIFI:S:;;", .name),
            ("WIFI:S:\(String(repeating: "a", count: 33));;", .name),
            ("WIFI:T:WPA;S:a;;", .password), ("WIFI:T:WPA;S:a;P:1234567;;", .password),
            ("WIFI:T:WPA;S:a;P:\(String(repeating: "g", count: 64));;", .password),
            ("WIFI:T:WPA;S:a;P:1234567\n8;;", .password), ("WIFI:T:SAE;S:a;P:x\nkey_mgmt=NONE;;", .password),
            ("WIFI:T:SAE;S:a;P:\(String(repeating: "a", count: 129));;", .password), ("WIFI:T:WPA3;S:a;;", .password),
            ("WIFI:S:a;P:12345678;;", .passwordOfOpenNetwork), ("WIFI:T:nopass;S:a;P:x;;", .passwordOfOpenNetwork),
            ("WIFI:T:WAPI;S:a;P:12345678;;", .unknownSecurity), ("WIFI:T:WEP;S:a;P:12345;;", .wep),
            ("WIFI:T:WPA2-EAP;S:a;E:PEAP;PH2:MS-CHAPv2;I:me;P:x;;", .enterprise),
            ("WIFI:S:a;E:TTLS;A:anon;;", .enterprise),
        ] as [(String, WirelessCodeError)])
    func refusals(_ text: String, _ error: WirelessCodeError) {
        #expect(throws: error) { try Self.code(text) }
        #expect(!error.sentence.isEmpty && !error.hint.isEmpty)
    }

    @Test("A hostile name cannot steer a terminal, hide, or look like another")
    func hostileNames() throws {
        #expect(try Self.code("WIFI:S:\u{1B}[2Jx;;").shownName == "bytes 1b 5b 32 4a 78")
        #expect(try Self.code("WIFI:S:a\u{202E}b;;").shownName == "bytes 61 e2 80 ae 62")
        #expect(try Self.code("WIFI:S:a\u{200B};;").shownName == "bytes 61 e2 80 8b")
        #expect(try Self.code("WIFI:S:a\nProtection\\: WPA3;;").shownName.hasPrefix("bytes 61 0a"))
        #expect(try Self.code("WIFI:S:   ;;").shownName == "bytes 20 20 20")
        let bytes = SecretBytes(copying: Array("WIFI:S:".utf8) + [0xFF, 0x00] + Array(";;".utf8))
        #expect(try WirelessCode(bytes).shownName == "bytes ff 00")
        #expect(try Self.code("WIFI:S:Bücherei 2;;").shownName == "\"Bücherei 2\"")
    }

    @Test("No value of a code prints its password")
    func secrecy() throws {
        let code = try Self.code("WIFI:T:WPA;S:a;P:open sesame;;")
        #expect(!"\(code)".contains("sesame") && !String(reflecting: code).contains("sesame"))
    }

    @Test("Any bytes are read or refused, and what is read keeps the rules")
    func fuzz() {
        var random = SplitMix64(seed: 44)
        let pieces = [
            "WIFI:", "T:WPA;", "T:SAE;", "S:a", "S:", "P:12345678", "P:", "H:true;", ";", ";;", "\\", "\"", ":", "R:1;",
        ]
        var read = 0
        for _ in 0..<20_000 {
            var bytes = Array("WIFI:".utf8)
            for _ in 0..<Int.random(in: 0...8, using: &random) {
                if Bool.random(using: &random) {
                    bytes += pieces[Int.random(in: pieces.indices, using: &random)].utf8
                } else {
                    bytes.append(.random(in: .min ... .max, using: &random))
                }
            }
            guard let code = try? WirelessCode(SecretBytes(copying: bytes)) else { continue }
            read += 1
            #expect((1...32).contains(code.name.count))
            #expect(code.shownName.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
            for profile in [WirelessProfile.supplicant(code), WirelessProfile.keyfile(code, id: "i", uuid: "u")] {
                let text = profile.withBytes { text in String(decoding: text.indices.map { text[$0] }, as: UTF8.self) }
                // A line break in a value would be a line of its own.
                #expect(text.split(separator: "\n").allSatisfy { $0.contains("=") || $0.hasPrefix("[") || $0 == "}" })
            }
        }
        #expect(read > 50, "the pieces make no codes any more")
    }
}

@Suite("Profiles of wireless networks") struct WirelessProfileTests {
    private static func text(_ profile: SecretBytes) -> String {
        profile.withBytes { text in String(decoding: text.indices.map { text[$0] }, as: UTF8.self) }
    }

    @Test func keyfile() throws {
        let code = try WirelessCode(WirelessCodeTests.secret("WIFI:T:WPA;S:a\\;b;P: a\\\\b#\\;c ;H:true;;"))
        #expect(
            Self.text(WirelessProfile.keyfile(code, id: "login-kiosk", uuid: "1")) == #"""
                [connection]
                id=login-kiosk
                uuid=1
                type=wifi

                [wifi]
                mode=infrastructure
                ssid=97;59;98;
                hidden=true

                [wifi-security]
                key-mgmt=wpa-psk
                psk=\sa\\b#;c\s

                [ipv4]
                method=auto

                [ipv6]
                method=auto

                """#)
    }

    @Test func supplicant() throws {
        func text(_ code: String) throws -> String {
            Self.text(WirelessProfile.supplicant(try WirelessCode(WirelessCodeTests.secret(code))))
        }
        #expect(
            try text("WIFI:T:WPA;S:a\\\"b;P:12345\\\"78;;") == """
                ctrl_interface=/run/wpa_supplicant
                network={
                    ssid=612262
                    key_mgmt=WPA-PSK WPA-PSK-SHA256 SAE
                    ieee80211w=1
                    psk="12345"78"
                }

                """)
        #expect(try text("WIFI:T:WPA;S:a;P:\(String(repeating: "0f", count: 32));;").contains("psk=0f0f"))
        #expect(try text("WIFI:T:SAE;S:a;P:x;H:true;;").contains("scan_ssid=1\n    key_mgmt=SAE\n    ieee80211w=2"))
        #expect(try text("WIFI:S:a;;").contains("ssid=61\n    key_mgmt=NONE\n}"))
    }
}
