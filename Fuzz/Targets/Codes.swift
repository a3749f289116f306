// SPDX-License-Identifier: Apache-2.0

@testable import Encoding
import KioskPorts
import LoginValues
import PersonalCards
import Provisioning
@testable import Capture
@testable import HostIntegration
@testable import Keypads
@testable import KioskRuntime

extension FuzzTarget {
    /// Every reader of a symbol's bytes, which a stranger shows to the camera.
    static let code = FuzzTarget(name: "code") { input in
        let bytes = input.rest
        let secret = SecretBytes(copying: bytes)
        if let request = try? LoginRequest(symbol: bytes.span) {
            let (address, code) = (
                "\(request.baseURL)", request.accessCode.withCharacters { span in span.indices.map { span[$0] } }
            )
            expect(Grammar.isLoginCode(bytes, address, code), "only codes of the grammar are login codes: \(address)")
            expect((try? WebAddress(address)) == request.baseURL, "an address reads as it is written: \(address)")
        }
        if let link = VerificationLink(symbol: bytes.span) {
            expect(VerificationLink.userIDLengths.contains(link.userID.utf8.count), "the user ID's length is valid")
        }
        if let sighting = Optional(plainSighting), let symbol = Symbol(payload: secret, parts: 1, sighting: sighting) {
            _ = EmailAddress(symbol)
        }
        if PersonalCard.isCard(bytes.span), let cards = Fixed.cards { _ = try? cards.card(in: bytes.span) }
        if SealedProfile.isProfile(bytes.span) { _ = try? SealedProfile(symbol: bytes.span) }
        if WirelessCode.isMeant(by: secret) { _ = try? WirelessCode(secret) }
        if let plain = Base45.decoded(bytes.span) {
            expect(Base45.encoded(plain) == bytes, "Base45 has one spelling")
        }
    }

    /// Every grammar of one line, which an operator types.
    static let text = FuzzTarget(name: "text") { input in
        let text = input.text
        if let line = try? TrustLine(text) {
            expect((try? TrustLine("\(line)")) == line, "a line of trust reads as it is written: \(line)")
        }
        if let address = EmailAddress(text) {
            expect(EmailAddress("\(address.text)") != nil, "an address reads as it is written")
        }
        if let pin = try? PublicKeyPin(text) {
            expect((try? PublicKeyPin("\(pin)")) == pin, "a pin reads as it is written: \(pin)")
        }
        if let keypad = try? KeypadSpecification(text) { _ = "\(keypad)" }
        if let source = try? SourceSpecification(text) { _ = "\(source)" }
        _ = try? KeyScript(text)
        if let bytes = Hexadecimal.bytes(text) {
            expect(Hexadecimal.text(bytes) == text.lowercased(), "hexadecimal digits have one meaning")
        }
        if let fields = FormFields(text) { _ = "\(fields)" }
    }
}

private let plainSighting = SymbolSighting(
    captured: .zero, frameWidth: 640, frameHeight: 480, centreX: 320, centreY: 240, edge: 200, brightness: 128,
    sharpness: 40)

/// Keys that are the same in every run.
enum Fixed {
    static let cards = FleetKey(SecretBytes(copying: [UInt8](repeating: 7, count: 32))).map {
        FleetCards(key: $0, lifetime: 86_400) { 1_795_694_400 }
    }
}

/// The grammar of login codes, written again, without a look at the reader: `scheme://host[:port][/path]#code` in
/// printable ASCII without blanks.
enum Grammar {
    static func isLoginCode(_ symbol: [UInt8], _ address: String, _ code: [UInt8]) -> Bool {
        let isVisible = { (byte: UInt8) in (0x21...0x7E).contains(byte) }
        guard address.utf8.allSatisfy(isVisible), code.allSatisfy(isVisible), (1...256).contains(code.count) else {
            return false
        }
        guard address.hasPrefix("https://") || address.hasPrefix("http://") else { return false }
        guard !address.contains("#"), !address.contains("?"), !address.contains("\\") else { return false }
        guard symbol.count(where: { $0 == UInt8(ascii: "#") }) == 1 else { return false }
        // `@` may be in a path, but not before it.
        let authority =
            address.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
            .last?.prefix { $0 != "/" } ?? ""
        return !authority.isEmpty
            && authority.utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789-.:[]".utf8.contains($0) }
    }
}
