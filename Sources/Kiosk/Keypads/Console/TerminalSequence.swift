// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// A sequence of a terminal, `ESC [` or `ESC O` with its parameters, and its key.
///
/// | Sequence | Key |
/// |---|---|
/// | `ESC [ D`, `ESC O D`: arrow left | back |
/// | `ESC [ 3 ~`: the Delete key | clear |
/// | `ESC [ H`, `ESC O H`, `ESC [ 1 ~`, `ESC [ 7 ~`: Home; `ESC [ 11 ~`, `ESC [ P`: F1 | menu |
/// | `ESC O p` to `y`, `ESC O M`, `j`, `l`, `n`: a number pad in application mode | 0 to 9, enter, back, clear, clear |
/// | `ESC [ CODE u`, `ESC [ 27 ; MODIFIERS ; CODE ~`: a key by its code (kitty, xterm) | that key |
///
/// `ESC O P` is not a key: it is F1 at some terminals, and NumLock at others.
struct TerminalSequence {
    /// The number of parameters that are kept. Further ones are read and dropped, so that none of them is taken for
    /// digits.
    private static let parametersKept = 24
    /// Kitty's codes of a number pad. Other keys have the codes of their characters.
    private enum PadCode {
        static let digits = 57399...57408
        static let decimal = 57409
        static let multiply = 57411
        static let enter = 57414
        static let separator = 57416
        /// Without NumLock.
        static let arrows = 57417...57427
    }

    /// The keys with the codes ``PadCode/arrows``, by what NumLock would make of them.
    private static let padWithoutNumLock: [Key] = [
        .digit(4), .digit(6), .digit(8), .digit(2), .digit(9), .digit(3), .digit(7), .digit(1), .digit(0), .clear,
        .digit(5),
    ]

    /// The bits of pressed modifiers that make no command of a key: Shift, and CapsLock with NumLock.
    private static let (shift, locks) = (1, 64 + 128)

    /// Whether it began with `ESC O`.
    private let isSingleShift: Bool
    /// Whether its escape was already taken for a key.
    let isAnswered: Bool
    private var parameters: [UInt8] = []
    private var isTooLong = false

    init(isSingleShift: Bool, isAnswered: Bool = false) {
        self.isSingleShift = isSingleShift
        self.isAnswered = isAnswered
    }

    /// Whether it is only `ESC [` so far.
    var isEmpty: Bool { !isSingleShift && parameters.isEmpty }

    mutating func append(_ byte: UInt8) {
        isTooLong = parameters.count == TerminalSequence.parametersKept
        if !isTooLong { parameters.append(byte) }
    }

    /// Whether it begins a paste; nil when it marks no paste.
    func marksPaste(final: UInt8) -> Bool? {
        guard !isSingleShift, final == UInt8(ascii: "~") else { return nil }
        return numbers == [[200]] ? true : numbers == [[201]] ? false : nil
    }

    func key(final: UInt8) -> Key? {
        guard !isTooLong else { return nil }
        switch (final, parameters.isEmpty) {
        case (UInt8(ascii: "D"), true): return .back
        case (UInt8(ascii: "H"), true): return .menu
        case (_, true) where isSingleShift: return padKey(final)
        case (UInt8(ascii: "P"), true): return .menu
        case (UInt8(ascii: "~"), false) where !isSingleShift:
            switch numbers.count == 1 ? numbers[0] : [] {
            case [3]: return .clear
            case [1], [7], [11]: return .menu
            default:
                guard numbers.count == 3, numbers[0] == [27] else { return nil }
                return TerminalSequence.key(code: numbers[2], modifiers: numbers[1])
            }
        case (UInt8(ascii: "u"), false) where !isSingleShift:
            return TerminalSequence.key(code: numbers[0], modifiers: numbers.count > 1 ? numbers[1] : [])
        default: return nil
        }
    }

    /// The parameters between semicolons, each divided at colons; -1 for anything but a number.
    private var numbers: [[Int]] {
        parameters.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map { field in
            field.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map {
                Int(String(decoding: $0, as: UTF8.self)) ?? -1
            }
        }
    }

    private func padKey(_ final: UInt8) -> Key? {
        switch final {
        case UInt8(ascii: "p")...UInt8(ascii: "y"): .digit(final - UInt8(ascii: "p"))
        case UInt8(ascii: "M"): .enter
        case UInt8(ascii: "j"): .back
        case UInt8(ascii: "l"), UInt8(ascii: "n"): .clear
        default: nil
        }
    }

    /// - Parameters:
    ///   - code: the key in Unicode or in kitty's numbering; its other possible keys follow.
    ///   - modifiers: one more than the sum of the pressed ones, and kitty's kind of event.
    private static func key(code: [Int], modifiers: [Int]) -> Key? {
        let down = modifiers.first.map { max($0, 1) - 1 } ?? 0
        // Repeats and releases are not presses. With Ctrl, Alt or the like a key is a command to another program.
        guard let code = code.first, down & ~(shift + locks) == 0, modifiers.count < 2 || modifiers[1] == 1 else {
            return nil
        }
        switch code {
        case 0x30...0x39: return .digit(UInt8(code - 0x30))
        case PadCode.digits: return .digit(UInt8(code - PadCode.digits.lowerBound))
        case PadCode.arrows: return padWithoutNumLock[code - PadCode.arrows.lowerBound]
        case 0x0D, PadCode.enter: return .enter
        case 0x08, 0x1B, 0x7F, PadCode.multiply: return .back
        case PadCode.decimal, PadCode.separator: return .clear
        case 0x09: return .menu
        case 0x20...0x7E where down & shift == 0: return .character(Character(Unicode.Scalar(UInt8(code))))
        default: return nil
        }
    }
}
