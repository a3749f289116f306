// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A terminal in software: the program under test has one end, the test the other.
public final class PseudoTerminal: Sendable {
    /// The descriptor for the program.
    public let device: Int32
    /// The path that another program can open.
    public let path: String
    private let person: Int32

    /// - Returns: nil when the system has none left.
    public init?(columns: UInt16 = 80, rows: UInt16 = 24) {
        var (person, device): (Int32, Int32) = (-1, -1)
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        // Safe: the call writes two numbers of our own and reads our own structure.
        guard unsafe openpty(&person, &device, nil, nil, &size) == 0 else { return nil }
        for end in [person, device] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var name = [CChar](repeating: 0, count: 128)
        // Safe: the call writes a terminated text into our own array, with its size.
        guard unsafe ttyname_r(device, &name, name.count) == 0 else {
            close(device)
            close(person)
            return nil
        }
        self.person = person
        self.device = device
        path = CText.string(writtenInto: name)
    }

    deinit {
        close(device)
        close(person)
    }

    public func resize(columns: UInt16, rows: UInt16) {
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        // Safe: the call reads our own structure.
        _ = unsafe ioctl(person, UInt(TIOCSWINSZ), &size)
    }

    /// Types everything at once, like a paste.
    public func type(_ text: String) {
        let bytes = Array(text.utf8)
        // Safe: the size is the array's own.
        _ = unsafe bytes.withUnsafeBytes { unsafe write(person, $0.baseAddress, $0.count) }
    }

    /// Whether a typed line, or a key without line editing, is ready for the program. The system needs a moment.
    public func hasInput(within milliseconds: Int32) -> Bool {
        Poll.isReadable(device, within: .milliseconds(milliseconds))
    }

    /// Reads the bytes that the program, or the terminal's echo, has written so far.
    public func read(within milliseconds: Int32) -> [UInt8] {
        guard Poll.isReadable(person, within: .milliseconds(milliseconds)) else { return [] }
        var bytes = [UInt8](repeating: 0, count: 65536)
        // Safe: at most the size of our own array.
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe Glibc.read(person, $0.baseAddress, $0.count) }
        return Array(bytes.prefix(max(count, 0)))
    }

    /// Reads everything written so far, in however many pieces.
    public func readAll() -> [UInt8] {
        var bytes: [UInt8] = []
        while case let piece = read(within: 200), !piece.isEmpty { bytes += piece }
        return bytes
    }

    /// Makes the terminal echo and edit lines, against the settings of the program: other programs do so when they end.
    ///
    /// - Returns: whether the system did it.
    public func setModesBack() -> Bool {
        var mode = termios()
        // Safe: the calls fill and read our own structure.
        guard unsafe tcgetattr(device, &mode) == 0 else { return false }
        mode.c_lflag |= tcflag_t(ECHO | ICANON | IEXTEN)
        mode.c_iflag |= tcflag_t(ICRNL | IXON)
        return unsafe tcsetattr(device, TCSANOW, &mode) == 0
    }

    /// Whether the terminal echoes and edits lines, as a shell needs it.
    public var isCooked: Bool {
        var mode = termios()
        // Safe: the call fills our own structure.
        guard unsafe tcgetattr(device, &mode) == 0 else { return false }
        return mode.c_lflag & tcflag_t(ECHO | ICANON) == tcflag_t(ECHO | ICANON)
    }
}
