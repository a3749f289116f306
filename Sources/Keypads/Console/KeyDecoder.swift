// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Turns the bytes of a terminal into keys.
///
/// | Bytes | Key |
/// |---|---|
/// | 0...9 | digit |
/// | CR, LF | enter |
/// | DEL, BS, lone ESC, arrow left | back |
/// | Ctrl-U, the Delete key | clear |
/// | Tab, F1, Home | menu |
/// | other printable ASCII | character |
///
/// Everything else is skipped. One read that brings more than one key is a burst: a hand is slower than that, a paste
/// is not. Whatever stands between the marks of a bracketed paste is a burst too, however it is cut into reads.
struct KeyDecoder {
    /// The sequences of our keys have at most three parameter bytes; what is longer is read to its end all the same, so
    /// that no part of it is taken for digits.
    private static let parametersKept = 4

    private enum State {
        case ground
        case escape
        /// Behind `ESC [` or `ESC O`; the first parameter bytes, one more than any key of ours has at most.
        case sequence([UInt8])
    }

    private var state = State.ground
    private var isPasting = false

    /// - Parameter bytes: what one read brought.
    mutating func decode(_ bytes: Span<UInt8>) -> [KeyPress] {
        var keys: [Key] = []
        let wasPasting = isPasting
        for index in bytes.indices {
            if let key = next(bytes[index]) { keys.append(key) }
        }
        let isBurst = wasPasting || isPasting || keys.count > 1
        return keys.map { KeyPress($0, isBurst: isBurst) }
    }

    /// Whether an escape or a sequence waits for what follows; the caller decides that nothing does.
    var isUndecided: Bool { if case .ground = state { false } else { true } }

    /// Nothing followed. A lone escape was the key; half a sequence is none, and what is typed next does not
    /// belong to it.
    mutating func timedOut() -> [KeyPress] {
        defer { state = .ground }
        guard case .escape = state else { return [] }
        return [KeyPress(.back, isBurst: isPasting)]
    }

    private mutating func next(_ byte: UInt8) -> Key? {
        switch state {
        case .ground: return ground(byte)
        case .escape:
            switch byte {
            case UInt8(ascii: "["), UInt8(ascii: "O"):
                state = .sequence([])
                return nil
            case 0x1B: return .back
            default:
                // Alt with a key: not one of ours.
                state = .ground
                return nil
            }
        case .sequence(let parameters):
            switch byte {
            case 0x20...0x3F:
                if parameters.count < KeyDecoder.parametersKept { state = .sequence(parameters + [byte]) }
                return nil
            case 0x40...0x7E:
                state = .ground
                return sequence(parameters, final: byte)
            default:
                // Not a part of any sequence: it was broken off.
                state = .ground
                return ground(byte)
            }
        }
    }

    private mutating func ground(_ byte: UInt8) -> Key? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return .digit(byte - UInt8(ascii: "0"))
        case 0x0A, 0x0D: return .enter
        case 0x08, 0x7F: return .back
        case 0x15: return .clear
        case 0x09: return .menu
        case 0x1B:
            state = .escape
            return nil
        case 0x20...0x7E: return .character(Character(Unicode.Scalar(byte)))
        default: return nil
        }
    }

    private mutating func sequence(_ parameters: [UInt8], final: UInt8) -> Key? {
        let number = String(decoding: parameters, as: UTF8.self)
        switch (final, number) {
        case (UInt8(ascii: "D"), ""): return .back
        case (UInt8(ascii: "~"), "3"): return .clear
        case (UInt8(ascii: "P"), ""), (UInt8(ascii: "H"), ""), (UInt8(ascii: "~"), "11"), (UInt8(ascii: "~"), "1"):
            return .menu
        case (UInt8(ascii: "~"), "200"):
            isPasting = true
            return nil
        case (UInt8(ascii: "~"), "201"):
            isPasting = false
            return nil
        default: return nil
        }
    }
}
