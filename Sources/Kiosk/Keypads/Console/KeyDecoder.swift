// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Turns the bytes of a terminal into keys.
///
/// | Bytes | Key |
/// |---|---|
/// | 0...9 | digit |
/// | CR, LF, CR LF | enter |
/// | DEL, BS, lone ESC | back |
/// | Ctrl-U | clear |
/// | Tab | menu |
/// | other printable ASCII | character |
/// | a sequence | ``TerminalSequence`` |
///
/// All other bytes are skipped. More than one key in one read is a burst: pasted, because a hand is slower. Text
/// between the marks of a bracketed paste is a burst too, however the reads divide it.
struct KeyDecoder {
    /// Time that a lone escape waits for the rest of a key's sequence, in milliseconds.
    private static let escapeDelay: Int32 = 50
    /// Time that a sequence waits for its end, in milliseconds. No key depends on it, so it may be long.
    private static let sequenceDelay: Int32 = 500

    private enum State {
        case ground
        /// Inside a character of several bytes.
        case character(first: UInt8, bytesLeft: Int)
        case escape
        case sequence(TerminalSequence)
        /// After `ESC [ [`, with which the Linux console sends F1 to F5.
        case consoleFunctionKey
        /// Inside a report of the terminal, such as its version; an escape may be the first byte of its end.
        case report(mayEnd: Bool)
    }

    private var state = State.ground
    private var isPasting = false
    /// Whether the last byte was CR: a following LF belongs to it.
    private var isBehindReturn = false
    /// Whether an escape was just taken for a key: the rest of its sequence may come late over a slow line.
    private var isBehindLoneEscape = false

    /// - Parameter bytes: those of one read.
    mutating func decode(_ bytes: Span<UInt8>) -> [KeyPress] {
        var keys: [Key] = []
        let wasPasting = isPasting
        for index in bytes.indices {
            if let key = next(bytes[index], isLast: index == bytes.count - 1) { keys.append(key) }
        }
        let isBurst = wasPasting || isPasting || keys.count > 1
        return keys.map { KeyPress($0, isBurst: isBurst) }
    }

    /// Time to wait for the next byte before ``timedOut()``, in milliseconds; nil when nothing is undecided.
    var patience: Int32? {
        switch state {
        case .ground, .character: nil
        case .escape: KeyDecoder.escapeDelay
        case .sequence, .consoleFunctionKey, .report: KeyDecoder.sequenceDelay
        }
    }

    /// Decides when no byte followed: a lone escape was the key. Half a sequence is no key, and the next byte does not
    /// belong to it.
    mutating func timedOut() -> [KeyPress] {
        defer { state = .ground }
        guard case .escape = state else { return [] }
        isBehindLoneEscape = true
        return [KeyPress(.back, isBurst: isPasting)]
    }

    private mutating func next(_ byte: UInt8, isLast: Bool) -> Key? {
        switch state {
        case .ground: return ground(byte, isLast: isLast)
        case .character(let first, let bytesLeft):
            guard (0x80...0xBF).contains(byte) else { return ground(byte, isLast: isLast) }
            state = bytesLeft > 1 ? .character(first: first, bytesLeft: bytesLeft - 1) : .ground
            // The 8-bit controls in UTF-8.
            if first == 0xC2 { introduce(byte) }
            return nil
        case .escape: return escaped(byte)
        case .sequence(let sequence): return continued(sequence, byte, isLast: isLast)
        case .consoleFunctionKey:
            state = .ground
            return byte == UInt8(ascii: "A") ? .menu : nil
        case .report(let mayEnd): return reported(byte, mayEnd: mayEnd, isLast: isLast)
        }
    }

    private mutating func escaped(_ byte: UInt8) -> Key? {
        state = .ground
        switch byte {
        case 0x1B:
            state = .escape
            return .back
        // Each has an 8-bit control. Anything else is Alt with a key, which the kiosk does not use.
        case 0x40...0x5F: introduce(byte + 0x40)
        default: break
        }
        return nil
    }

    private mutating func continued(_ sequence: TerminalSequence, _ byte: UInt8, isLast: Bool) -> Key? {
        switch byte {
        case 0x20...0x3F:
            var longer = sequence
            longer.append(byte)
            state = .sequence(longer)
            return nil
        case UInt8(ascii: "[") where sequence.isEmpty:
            state = .consoleFunctionKey
            return nil
        case 0x40...0x7E:
            state = .ground
            return ended(sequence, final: byte)
        // The byte is not a part of a sequence: the sequence was broken off.
        default: return ground(byte, isLast: isLast)
        }
    }

    private mutating func reported(_ byte: UInt8, mayEnd: Bool, isLast: Bool) -> Key? {
        switch byte {
        case 0x1B: state = .report(mayEnd: true)
        case UInt8(ascii: "\\") where mayEnd: state = .ground
        case _ where mayEnd:
            state = .escape
            return next(byte, isLast: isLast)
        case 0x07, 0x9C: state = .ground
        case 0x00..<0x20: return ground(byte, isLast: isLast)
        default: break
        }
        return nil
    }

    private mutating func ground(_ byte: UInt8, isLast: Bool) -> Key? {
        state = .ground
        defer { (isBehindReturn, isBehindLoneEscape) = (byte == 0x0D, false) }
        switch byte {
        // The escape was already reported as a key, so the rest of its sequence is not a key.
        case UInt8(ascii: "[") where isBehindLoneEscape, UInt8(ascii: "O") where isBehindLoneEscape && !isLast:
            state = .sequence(TerminalSequence(isSingleShift: byte != UInt8(ascii: "["), isAnswered: true))
            return nil
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return .digit(byte - UInt8(ascii: "0"))
        case 0x0A where isBehindReturn: return nil
        case 0x0A, 0x0D: return .enter
        case 0x08, 0x7F: return .back
        case 0x15: return .clear
        case 0x09: return .menu
        case 0x1B: state = .escape
        case 0x20...0x7E: return .character(Character(Unicode.Scalar(byte)))
        case 0x80...0x9F: introduce(byte)
        case 0xC2...0xDF: state = .character(first: byte, bytesLeft: 1)
        case 0xE0...0xEF: state = .character(first: byte, bytesLeft: 2)
        case 0xF0...0xF4: state = .character(first: byte, bytesLeft: 3)
        default: break
        }
        return nil
    }

    /// Begins the sequence of an 8-bit control (ECMA-48).
    private mutating func introduce(_ control: UInt8) {
        switch control {
        case 0x8F, 0x9B: state = .sequence(TerminalSequence(isSingleShift: control == 0x8F))
        case 0x90, 0x98, 0x9D, 0x9E, 0x9F: state = .report(mayEnd: false)
        default: break
        }
    }

    private mutating func ended(_ sequence: TerminalSequence, final: UInt8) -> Key? {
        if let isBegin = sequence.marksPaste(final: final) {
            isPasting = isBegin
            return nil
        }
        return sequence.isAnswered ? nil : sequence.key(final: final)
    }
}
