// SPDX-License-Identifier: Apache-2.0

import CInput
import KioskPorts

/// Maps the keys of an input device to keys of the kiosk. Letters and signs are placed as on a US keyboard.
enum InputKeyMap {
    /// Keys that change the meaning of others while they are down.
    static let shifts: Set<UInt16> = [UInt16(KEY_LEFTSHIFT), UInt16(KEY_RIGHTSHIFT)]
    static let modifiers: Set<UInt16> = [
        UInt16(KEY_LEFTCTRL), UInt16(KEY_RIGHTCTRL), UInt16(KEY_LEFTALT), UInt16(KEY_RIGHTALT), UInt16(KEY_LEFTMETA),
        UInt16(KEY_RIGHTMETA),
    ]

    /// The digit of a key of the main block, with or without Shift: on a French keyboard digits need Shift.
    static func mainDigit(_ code: UInt16) -> UInt8? { mainDigits.firstIndex(of: code).map(UInt8.init) }

    /// - Returns: nil for keys without a meaning here.
    static func key(_ code: UInt16, isShifted: Bool) -> Key? {
        if let key = keys[code] {
            // With Shift a digit of the main block is a sign.
            if isShifted, case .digit = key, let sign = shiftedDigits[code] { return .character(sign) }
            return key
        }
        return characters[code].map { .character(isShifted ? $0.shifted : $0.plain) }
    }

    /// Whether the device has all digits in one block, so that it can be a keypad.
    static func hasDigits(_ codes: Set<UInt16>) -> Bool {
        [mainDigits, padDigits, phoneDigits].contains { $0.allSatisfy(codes.contains) }
    }

    /// Names of a device's keys. Many number pads claim every key of a keyboard: then the device's name
    /// decides.
    static func names(of codes: Set<UInt16>, ofDevice name: String) -> KeyNames {
        let isPad = !codes.contains(UInt16(KEY_Q)) || padWords.contains { name.lowercased().contains($0) }
        guard isPad else { return .keyboard }
        var names: [Key: KeyNames.Name] = [:]
        for (key, code, name) in padNames where names[key] == nil && codes.contains(UInt16(code)) {
            names[key] = KeyNames.Name(name)
        }
        return KeyNames(names)
    }

    private static let padWords = [
        "keypad", "key pad", "number pad", "numpad", "num pad", "numeric", "pinpad", "pin pad",
    ]
    /// The best names first: those of a telephone's keys, then those of a number pad's. A pad's claim to a key that
    /// only keyboards have is ignored, because the key may be missing.
    private static let padNames: [(Key, Int32, String)] = [
        (.enter, KEY_NUMERIC_POUND, "#"), (.enter, KEY_NUMERIC_D, "D"), (.enter, KEY_KPENTER, "Enter"),
        (.enter, KEY_ENTER, "Enter"), (.enter, KEY_OK, "OK"),
        (.back, KEY_NUMERIC_STAR, "*"), (.back, KEY_NUMERIC_B, "B"), (.back, KEY_KPASTERISK, "*"),
        (.back, KEY_BACKSPACE, "Backspace"), (.back, KEY_BACK, "Back"), (.back, KEY_ESC, "Esc"),
        (.clear, KEY_NUMERIC_C, "C"), (.clear, KEY_KPDOT, "."), (.clear, KEY_DELETE, "Delete"),
        (.clear, KEY_CLEAR, "Clear"),
        (.menu, KEY_NUMERIC_A, "A"), (.menu, KEY_MENU, "Menu"),
    ]

    private static let mainDigits = [KEY_0, KEY_1, KEY_2, KEY_3, KEY_4, KEY_5, KEY_6, KEY_7, KEY_8, KEY_9].map(
        UInt16.init)
    private static let padDigits = [
        KEY_KP0, KEY_KP1, KEY_KP2, KEY_KP3, KEY_KP4, KEY_KP5, KEY_KP6, KEY_KP7, KEY_KP8, KEY_KP9,
    ].map(UInt16.init)
    /// The digits of telephones, and of the overlays in deploy/overlays.
    private static let phoneDigits = (0..<10).map { UInt16(KEY_NUMERIC_0) + $0 }

    private static let keys: [UInt16: Key] = {
        var keys: [UInt16: Key] = [:]
        for digits in [mainDigits, padDigits, phoneDigits] {
            for (digit, code) in digits.enumerated() { keys[code] = .digit(UInt8(digit)) }
        }
        let others: [(Key, [Int32])] = [
            (.enter, [KEY_ENTER, KEY_KPENTER, KEY_OK, KEY_NUMERIC_POUND, KEY_NUMERIC_D]),
            (.back, [KEY_BACKSPACE, KEY_ESC, KEY_LEFT, KEY_BACK, KEY_KPASTERISK, KEY_NUMERIC_STAR, KEY_NUMERIC_B]),
            (.clear, [KEY_DELETE, KEY_CLEAR, KEY_KPDOT, KEY_KPCOMMA, KEY_NUMERIC_C]),
            (.menu, [KEY_TAB, KEY_F1, KEY_HOME, KEY_MENU, KEY_NUMERIC_A]),
        ]
        for (key, codes) in others { for code in codes { keys[UInt16(code)] = key } }
        return keys
    }()

    private static let shiftedDigits: [UInt16: Character] = Dictionary(
        uniqueKeysWithValues: zip(mainDigits, ")!@#$%^&*("))

    private static let characters: [UInt16: (plain: Character, shifted: Character)] = {
        var characters: [UInt16: (plain: Character, shifted: Character)] = [:]
        // Each row of a keyboard has consecutive codes.
        let rows: [(first: Int32, plain: String, shifted: String)] = [
            (KEY_Q, "qwertyuiop[]", "QWERTYUIOP{}"), (KEY_A, "asdfghjkl;'`", "ASDFGHJKL:\"~"),
            (KEY_BACKSLASH, "\\zxcvbnm,./", "|ZXCVBNM<>?"), (KEY_MINUS, "-=", "_+"), (KEY_SPACE, " ", " "),
            (KEY_KPMINUS, "-", "-"), (KEY_KPPLUS, "+", "+"), (KEY_KPSLASH, "/", "/"), (KEY_102ND, "<", ">"),
        ]
        for row in rows {
            for (offset, pair) in zip(row.plain, row.shifted).enumerated() {
                characters[UInt16(row.first) + UInt16(offset)] = (plain: pair.0, shifted: pair.1)
            }
        }
        return characters
    }()
}
