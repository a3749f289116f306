// SPDX-License-Identifier: Apache-2.0

import Encoding
import LoginValues
import MPinCrypto

// The stored form. Version 2:
//
//     version (1 byte) | fields in this order, each a length (2 bytes, big endian) and that many bytes:
//     dialect | state | mpinID | deviceName |
//     regOTT | wid | expireTime | nowTime |
//     token | pinReading | pinLength | permitDay | permitShare |
//     registrationPinLength | customerID | appID | verificationType | publicKey | dtas |
//     signingMpinID | signingPublicKey | signingToken | signingDtas | signingPinReading | signingPinLength
//
// Version 3 has two more, and is written only where one of them is not empty, so that older clients read the rest:
//
//     tries | heldUntil
//
// Version 4 has one field more, and is written only for an identity that was registered over plain http:
//
//     scheme
//
// Names and texts are UTF-8, times 8 bytes, the PIN's lengths and the tries 1 and the day 4, big endian. A field that
// the state does not have is empty. Version 1 ended with permitShare; it is still read, and never written. A change of
// this list is a new version; a decoder for the old ones stays.
extension IdentityRecord {
    static let version: UInt8 = 4

    func encoded() -> SecretBytes {
        let credential = credentialOrHeld
        let tries = credential?.tries ?? 0
        let version: UInt8 = isOverHTTP ? 4 : tries > 0 || held != nil ? 3 : 2
        return SecretBytes(capacity: StoredIdentity.maximumRecordLength) { output in
            output.append(version)
            output.appendField(dialect.rawValue)
            output.appendField(state.rawValue)
            output.appendField(mpinID.bytes)
            output.appendField(deviceName)
            output.appendField(registration?.regOTT)
            output.appendField(registration?.wid)
            output.appendField(registration?.expires?.expireTimeSeconds.bigEndianBytes ?? [])
            output.appendField(registration?.expires?.nowTimeSeconds.bigEndianBytes ?? [])
            output.appendField(credential?.token.encoded)
            output.appendField(credential == nil ? "" : IdentityRecord.pinReading)
            output.appendField(credential.map { [UInt8($0.pinLength)] } ?? [])
            output.appendField(credential?.permitCache?.day.value.bigEndianBytes ?? [])
            output.appendField(credential?.permitCache?.share.encoded)
            output.appendField(registration?.pinLength.map { [UInt8($0)] } ?? [])
            output.appendField(customerID)
            output.appendField(appID)
            output.appendField(verificationType?.rawValue ?? "")
            output.appendField(credential?.publicKey?.bytes ?? [])
            output.appendField(credential?.dtas ?? "")
            let signing = credential?.signing
            output.appendField(signing?.mpinID.bytes ?? [])
            output.appendField(signing?.publicKey.bytes ?? [])
            output.appendField(signing?.token.encoded)
            output.appendField(signing?.dtas ?? "")
            output.appendField(signing == nil ? "" : IdentityRecord.pinReading)
            output.appendField(signing.map { [UInt8($0.pinLength)] } ?? [])
            guard version >= 3 else { return }
            output.appendField(tries > 0 ? [UInt8(clamping: tries)] : [])
            output.appendField(held?.until.bigEndianBytes ?? [])
            if version >= 4 { output.appendField(Origin.Scheme.http.rawValue) }
        }
    }
}

extension OutputSpan<UInt8> {
    @_lifetime(self: copy self)
    fileprivate mutating func appendField(_ text: String) { appendField(Array(text.utf8)) }

    @_lifetime(self: copy self)
    fileprivate mutating func appendField(_ bytes: [UInt8]) {
        appendLength(bytes.count)
        append(bytes)
    }

    @_lifetime(self: copy self)
    fileprivate mutating func appendField(_ bytes: SecretBytes?) {
        appendLength(bytes?.count ?? 0)
        bytes?.withBytes { append($0) }
    }

    @_lifetime(self: copy self)
    fileprivate mutating func appendField(_ code: AccessCode?) {
        guard let code else { return appendLength(0) }
        code.withCharacters { characters in
            appendLength(characters.count)
            append(characters)
        }
    }

    /// Every field is far shorter than 64 KiB: the limits of the fields bound the whole record.
    @_lifetime(self: copy self)
    private mutating func appendLength(_ count: Int) {
        append(UInt8(count >> 8))
        append(UInt8(count & 255))
    }
}
