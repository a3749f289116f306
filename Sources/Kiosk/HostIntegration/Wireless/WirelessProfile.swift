// SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import LoginValues

/// A wireless network as a file of the program that joins it. The file has the password.
enum WirelessProfile {
    /// A keyfile of NetworkManager: nm-settings-keyfile(5).
    ///
    /// - Parameters:
    ///   - id: the profile's name for people.
    ///   - uuid: the profile's name for programs.
    static func keyfile(_ code: WirelessCode, id: String, uuid: String) -> SecretBytes {
        compose { text in
            text.add("[connection]\nid=\(id)\nuuid=\(uuid)\ntype=wifi\n\n[wifi]\nmode=infrastructure\nssid=")
            // A list of bytes: no sign of a name has a meaning there.
            for byte in code.name { text.add("\(byte);") }
            text.add(code.isHidden ? "\nhidden=true\n" : "\n")
            switch code.security {
            case .open: break
            case .personal(let password):
                text.add("\n[wifi-security]\nkey-mgmt=wpa-psk\npsk=")
                text.add(password.keyfileValue)
                text.add("\n")
            case .simultaneous(let password):
                text.add("\n[wifi-security]\nkey-mgmt=sae\npsk=")
                text.add(password.keyfileValue)
                text.add("\n")
            }
            text.add("\n[ipv4]\nmethod=auto\n\n[ipv6]\nmethod=auto\n")
        }
    }

    /// A file of wpa_supplicant: wpa_supplicant.conf(5).
    static func supplicant(_ code: WirelessCode) -> SecretBytes {
        compose { text in
            text.add("ctrl_interface=/run/wpa_supplicant\nnetwork={\n    ssid=")
            // Hexadecimal digits without quotes.
            for byte in code.name { text.add((byte < 16 ? "0" : "") + String(byte, radix: 16)) }
            text.add(code.isHidden ? "\n    scan_ssid=1\n" : "\n")
            switch code.security {
            case .open: text.add("    key_mgmt=NONE\n")
            case .personal(let password):
                // The protection of management frames is optional.
                text.add("    key_mgmt=WPA-PSK WPA-PSK-SHA256 SAE\n    ieee80211w=1\n    psk=")
                // The key itself stands without quotes. In quotes, the last one ends the text.
                let quote = WirelessCode.isKey(password) ? "" : "\""
                text.add(quote)
                text.add(password)
                text.add("\(quote)\n")
            case .simultaneous(let password):
                text.add("    key_mgmt=SAE\n    ieee80211w=2\n    sae_password=\"")
                text.add(password)
                text.add("\"\n")
            }
            text.add("}\n")
        }
    }

    /// Writes a profile to a file that only its owner can read.
    static func write(_ profile: SecretBytes, to path: String) throws(WirelessFault) {
        do throws(FileFault) {
            try OwnedFile.makeDirectory(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
            try profile.withBytes { bytes throws(FileFault) in
                try OwnedFile.replace(path, with: bytes, mode: 0o600)
            }
        } catch { throw WirelessFault(error) }
    }

    private static func compose(_ write: (inout Composition) -> Void) -> SecretBytes {
        var composition = Composition()
        write(&composition)
        return composition.joined
    }

    /// Pieces of a text, each in memory that is wiped.
    struct Composition {
        private var pieces: [SecretBytes] = []

        mutating func add(_ text: String) { pieces.append(SecretBytes(copying: text.utf8)) }

        mutating func add(_ secret: SecretBytes) { pieces.append(secret) }

        var joined: SecretBytes {
            SecretBytes(count: pieces.reduce(0) { $0 + $1.count }) { target in
                var length = 0
                for piece in pieces {
                    for index in 0..<piece.count {
                        target[length] = piece.withBytes { $0[index] }
                        length += 1
                    }
                }
            }
        }
    }
}

extension SecretBytes {
    /// The bytes as a value of a keyfile, in which blanks at the beginning and backslashes would be lost.
    fileprivate var keyfileValue: SecretBytes {
        let (blank, backslash) = (UInt8(ascii: " "), UInt8(ascii: "\\"))
        return withBytes { bytes in
            let escapes = bytes.indices.count { bytes[$0] == blank || bytes[$0] == backslash }
            return SecretBytes(count: bytes.count + escapes) { target in
                var length = 0
                for index in bytes.indices {
                    if bytes[index] == blank || bytes[index] == backslash {
                        target[length] = backslash
                        length += 1
                    }
                    target[length] = bytes[index] == blank ? UInt8(ascii: "s") : bytes[index]
                    length += 1
                }
            }
        }
    }
}
