// SPDX-License-Identifier: Apache-2.0

package import Encoding
package import MPinCrypto

/// The fields of the link in an activation mail. docs/protocol/milagro.md, section 11.3.
package struct ActivationLink: Sendable {
    package let mpinID: MPinID
    let expires: String
    package let activateKey: String
    /// Whether the user had an identity when the link was made. The page asks in other words.
    package let isAgain: Bool

    package init(mpinID: MPinID, expires: String, activateKey: String, isAgain: Bool) {
        self.mpinID = mpinID
        self.expires = expires
        self.activateKey = activateKey
        self.isAgain = isAgain
    }

    /// Nil when a field is missing or malformed.
    package init?(fields: FormFields) {
        guard let mpinID = MPinID(hexadecimal: fields["i"]), let activateKey = fields["s"],
            activateKey.utf8.count == 64, Hexadecimal.bytes(activateKey) != nil
        else { return nil }
        self.init(
            mpinID: mpinID, expires: fields["e"] ?? "", activateKey: activateKey,
            isAgain: fields["r"] != nil)
    }

    package var fields: [(name: String, value: String)] {
        [("i", Hexadecimal.text(mpinID.bytes)), ("e", expires), ("s", activateKey)] + (isAgain ? [("r", "1")] : [])
    }

    package func url(on site: String) -> String { site + "/mpinActivate?" + FormFields.text(fields) }
}
