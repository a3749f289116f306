// SPDX-License-Identifier: Apache-2.0

import Encoding
import LoginValues
import MPinCrypto

// Values that several replies of MIRACL's platform have.
extension JSONObject {
    /// An mpin_id: 1 to 768 bytes; real ones have about 130, and the hexadecimal form must fit into an address.
    func mpinID(_ key: String) throws(JSONError) -> MPinID { MPinID(try bytes(key, counts: MPinID.lengths)) }

    /// A one-time token of the later dialects: opaque visible text.
    func opaqueToken(_ key: String) throws(JSONError) -> SecretBytes { try secretText(key, counts: 1...1024) }

    /// The issuers of a secret: opaque, sent back as received.
    func issuers(_ key: String) throws(JSONError) -> String {
        let text = try string(key)
        guard (1...Prover.maximumIssuersLength).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw JSONError("`\(key)` is not 1 to \(Prover.maximumIssuersLength) visible characters") }
        return text
    }

    /// The number of digits that a PIN is to have. An impossible length becomes the nearest possible one, as in the
    /// platform's own clients: the server never sees the digits.
    ///
    /// - Returns: nil when the key is absent.
    func pinLength(_ key: String) throws(JSONError) -> Int? {
        guard isPresent(key) else { return nil }
        guard let length = parameter(key).flatMap({ Int($0) }) else { throw JSONError("`\(key)` is not a length") }
        return min(max(length, Pin.lengths.lowerBound), Pin.lengths.upperBound)
    }

    /// Checks the status that a verdict repeats (docs/protocol/miracl.md, section 9.4), which must not contradict it.
    func requireStatus(_ success: ClosedRange<Int>) throws(JSONError) {
        guard let text = parameter("status"), let status = Int(text) else { return }
        guard success.contains(status) else { throw JSONError("`status` is \(status), which is not a success") }
    }

    /// A name that is stored beside an identity; empty when there is none.
    func shortText(_ key: String) throws(JSONError) -> String {
        let text = parameter(key) ?? ""
        guard text.utf8.count <= MPin.maximumNameLength else { throw JSONError("`\(key)` is too long") }
        return text
    }

    /// - Returns: nil when there is no code or an empty one, which the platform sends instead of none.
    func authorizationCode() throws(JSONError) -> SecretBytes? {
        guard isPresent("code") else { return nil }
        let code = try secretText("code", counts: 0...4096)
        return code.count > 0 ? code : nil
    }

    func address(_ key: String) throws(JSONError) -> WebAddress {
        let text = try string(key)
        do throws(WebAddressError) { return try WebAddress(text) } catch {
            throw JSONError("`\(key)` is not a web address: \(error.rawValue)")
        }
    }

    /// The first of the keys that is present; empty when none is.
    func firstString(_ keys: String...) throws(JSONError) -> String { try firstString(keys) }

    func firstString(_ keys: [String]) throws(JSONError) -> String {
        for key in keys {
            if let text = try optionalString(key) { return text }
        }
        return ""
    }
}

extension MPinID {
    static let lengths = 1...768
}

extension Prover {
    /// The greatest length of `dtas`, in bytes; real ones have about 190.
    static let maximumIssuersLength = 2048
}
