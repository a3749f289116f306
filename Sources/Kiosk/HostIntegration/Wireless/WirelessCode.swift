// SPDX-License-Identifier: Apache-2.0

public import LoginValues

/// A wireless network as a QR code: `WIFI:T:WPA;S:NAME;P:PASSWORD;H:true;;`, as telephones and routers show it.
///
/// Name and password are text. A backslash stands before `\`, `;`, `,`, `:` and `"` that belong to it, and quotes
/// around the whole value do not. 64 hexadecimal digits as a WPA password are the key itself. Digits elsewhere are
/// text: many passwords consist of nothing else.
public struct WirelessCode: Sendable, Equatable {
    public enum Security: Sendable, Equatable {
        case open
        /// WPA2, and WPA3 where the network speaks both.
        case personal(SecretBytes)
        /// WPA3 alone.
        case simultaneous(SecretBytes)
    }

    /// The most bytes of a code. Twice those of the longest name and password with a backslash before each.
    public static let maximumLength = 512
    private static let nameLengths = 1...32
    private static let passphraseLengths = 8...63
    private static let keyLength = 64
    private static let maximumPasswordLength = 128

    /// 1 to 32 bytes, in no known character set.
    public let name: [UInt8]
    public let security: Security
    /// Whether the network has to be asked for by its name.
    public let isHidden: Bool

    /// Whether a code is meant as a wireless network, valid or not.
    public static func isMeant(by payload: SecretBytes) -> Bool {
        payload.withBytes { bytes in
            bytes.count >= prefix.count && prefix.indices.allSatisfy { bytes[$0] == prefix[$0] }
        }
    }

    static let prefix = Array("WIFI:".utf8)

    /// - Parameter payload: the bytes of a QR code.
    public init(_ payload: SecretBytes) throws(WirelessCodeError) {
        guard WirelessCode.isMeant(by: payload), payload.count <= WirelessCode.maximumLength else {
            throw .malformed
        }
        let fields = try payload.withBytes { bytes throws(WirelessCodeError) in try WirelessCode.fields(of: bytes) }
        let kind = try WirelessCode.word(fields["T"])
        // Fields of other kinds are checked by that kind.
        switch kind {
        case "WEP": throw .wep
        case "EAP", "WPA-EAP", "WPA2-EAP", "WPA3-EAP": throw .enterprise
        default: break
        }
        guard fields.keys.allSatisfy({ ["T", "S", "P", "H", "R"].contains($0) }) else {
            throw fields.keys.contains { ["E", "A", "PH2"].contains($0) } ? .enterprise : .malformed
        }
        guard let name = fields["S"], WirelessCode.nameLengths.contains(name.count) else { throw .name }
        self.name = name.withBytes { bytes in bytes.indices.map { bytes[$0] } }
        switch try WirelessCode.word(fields["H"]) {
        case "", "FALSE": isHidden = false
        case "TRUE": isHidden = true
        default: throw .malformed
        }
        let password = fields["P"].flatMap { $0.count == 0 ? nil : $0 }
        security = try WirelessCode.security(kind, password: password)
    }

    private static func security(_ kind: String, password: SecretBytes?) throws(WirelessCodeError) -> Security {
        switch (kind, password) {
        case ("", nil), ("NOPASS", nil): return .open
        case ("NOPASS", _?), ("", _?): throw .passwordOfOpenNetwork
        case ("WPA", let password?), ("WPA2", let password?), ("WPA/WPA2", let password?):
            guard isPassphrase(password) || isKey(password) else { throw .password }
            return .personal(password)
        case ("SAE", let password?), ("WPA3", let password?):
            guard isPassword(password) else { throw .password }
            return .simultaneous(password)
        case ("WPA", nil), ("WPA2", nil), ("WPA/WPA2", nil), ("SAE", nil), ("WPA3", nil): throw .password
        default: throw .unknownSecurity
        }
    }

    private static func isPassphrase(_ password: SecretBytes) -> Bool {
        passphraseLengths.contains(password.count)
            && password.withBytes { bytes in bytes.indices.allSatisfy { (0x20...0x7E).contains(bytes[$0]) } }
    }

    /// Whether it is the key that others derive from a password.
    static func isKey(_ password: SecretBytes) -> Bool {
        password.count == keyLength
            && password.withBytes { bytes in
                bytes.indices.allSatisfy { Unicode.Scalar(bytes[$0]).properties.isASCIIHexDigit }
            }
    }

    /// WPA3 takes any text. A control character would end a line of the network's profile.
    private static func isPassword(_ password: SecretBytes) -> Bool {
        (1...maximumPasswordLength).contains(password.count)
            && password.withBytes { bytes in bytes.indices.allSatisfy { bytes[$0] >= 0x20 && bytes[$0] != 0x7F } }
    }
}

extension WirelessCode {
    /// The network's name for a person: the text, or its bytes where a sign of it could not be seen or would steer a
    /// terminal.
    public var shownName: String {
        let text = String(validating: name, as: UTF8.self)
        if let text, text.unicodeScalars.allSatisfy({ WirelessCode.isVisible($0) }), text.contains(where: { $0 != " " })
        {
            return "\"\(text)\""
        }
        return "bytes " + name.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
    }

    /// The protection, in words for a person.
    public var shownSecurity: String {
        switch security {
        case .open: "open: everybody can listen in"
        case .personal: "WPA2 or WPA3, with a password"
        case .simultaneous: "WPA3, with a password"
        }
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        case .spaceSeparator: scalar == " "
        default: true
        }
    }
}

/// The reason why a code is not a wireless network that this machine can join.
public enum WirelessCodeError: Error, Sendable, Equatable, CaseIterable {
    case malformed, name, password, passwordOfOpenNetwork, unknownSecurity, wep, enterprise

    /// The fault, without a part of the code.
    public var sentence: String {
        switch self {
        case .malformed: "this is not a complete WIFI: code"
        case .name: "the code has no network name of 1 to 32 bytes"
        case .password: "the code has no password that its kind of network can have"
        case .passwordOfOpenNetwork: "the code has a password for a network without one"
        case .unknownSecurity: "the code names a kind of protection that is not known"
        case .wep: "this network is protected by WEP, which anybody breaks within minutes"
        case .enterprise: "this network wants a user's name and password (802.1X)"
        }
    }

    public var hint: String {
        switch self {
        case .malformed, .name, .password, .passwordOfOpenNetwork, .unknownSecurity:
            "have the router or a telephone in that network show its code"
        case .wep: "set the router to WPA2 or WPA3"
        case .enterprise: "set it up with NetworkManager or wpa_supplicant, and skip this step"
        }
    }
}
