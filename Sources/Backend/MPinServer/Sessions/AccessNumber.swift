// SPDX-License-Identifier: Apache-2.0

/// The seven digits a person may type instead of showing a QR code: six random ones and a check digit.
/// docs/protocol/milagro.md, section 7.2.
enum AccessNumber {
    static let digits = 7
    /// The highest number of open numbers. Browsers get three quarters of it, and the browsers of one address a
    /// sixteenth.
    static let capacity = 1024
    /// Wrong numbers that are checked within `guessPeriod`, from one address and in total. Finding one of 100 open
    /// numbers takes some 9,000 guesses.
    static let guessesOfOneAddress = 10
    static let guessesInTotal = 500
    static let guessPeriod = Duration.seconds(300)

    /// Whether the code has the form of a typed number.
    static func isOne(_ accessCode: String) -> Bool {
        accessCode.utf8.count == digits && accessCode.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// The check digit of six leading digits: nil where the classic rule draws again (10 has no digit; 0 was never
    /// issued, so some clients may refuse it).
    static func checkDigit(of leading: [Int]) -> Int? {
        var sum = 0
        for (digit, weight) in zip(leading, [7, 6, 5, 4, 3, 2]) { sum += digit * weight }
        let check = (11 - sum % 11) % 11
        return (1...9).contains(check) ? check : nil
    }

    /// Draws until the check digit may be issued.
    static func random(using generator: inout some RandomNumberGenerator) -> String {
        while true {
            let leading = (0..<6).map { _ in Int.random(in: 0...9, using: &generator) }
            if let check = checkDigit(of: leading) { return (leading + [check]).map(String.init).joined() }
        }
    }
}
