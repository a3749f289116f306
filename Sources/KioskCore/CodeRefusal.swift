// SPDX-License-Identifier: Apache-2.0

public import LoginValues

/// Why a QR code begins nothing. Safe to count and to log.
public enum CodeRefusal: Error, Hashable, Sendable {
    case notALogin(LoginRequestError)
    /// The text was joined from several codes (structured append): a login code is one.
    case divided
    case untrusted(TrustPolicy.Refusal)
    /// A login was tried with this code in the last ten minutes.
    case alreadyUsed
    /// A card that asks for what the menu has not, or for a door or service that this kiosk does not know.
    case notOffered
}

extension CodeRefusal: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notALogin(let error): "not a login code: \(error)"
        case .divided: "several codes in one"
        case .untrusted(let refusal): "untrusted: \(refusal.rawValue)"
        case .alreadyUsed: "already used"
        case .notOffered: "a card that is not for this kiosk"
        }
    }
}
