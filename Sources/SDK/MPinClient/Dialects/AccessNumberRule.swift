// SPDX-License-Identifier: Apache-2.0

import LoginValues

/// The rule for the last digit of an access number (docs/protocol/milagro.md, section 7.2).
enum AccessNumberRule {
    static let digits = 7

    /// Whether the settings announce check digits of this rule. `cSum` came with the rule: if it is missing or zero,
    /// numbers follow an older one that devices never checked.
    static func applies(_ parameters: [String: String]) -> Bool {
        parameters["accessNumberUseCheckSum"] == "true" && parameters["accessNumberDigits"] == "\(digits)"
    }

    static func isValid(_ number: AccessCode) -> Bool {
        number.withCharacters { characters in
            guard characters.count == digits,
                characters.indices.allSatisfy({ (0x30...0x39).contains(characters[$0]) })
            else { return false }
            var sum = 0
            for index in 0..<(digits - 1) { sum += (digits - index) * Int(characters[index] - 0x30) }
            return Int(characters[digits - 1] - 0x30) == (11 - sum % 11) % 11 % 10
        }
    }
}
