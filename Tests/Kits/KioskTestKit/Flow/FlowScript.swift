// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// A whole interaction at a kiosk, line by line.
///
///     # Comments and empty lines do nothing.
///     service trust-2025             what the backend speaks, in the first line; else milagro
///     user alice@example.com 2583    a person who is enrolled before the kiosk starts
///     elsewhere bob@example.com 2583 a person who is enrolled on another device
///     document loan.txt "A loan"     a file beside the script that is kept ready to be signed, before the kiosk starts
///     fleet                          it and the other devices have one fleet key, before the kiosk starts
///     new                            it is as it came and waits for a setup, before the kiosk starts
///     qr login                       what the camera sees: the code of the login page, ...
///     qr "mailto:a@example.com"      ... a code with this text, ...
///     qr signing "Pay five pounds"   ... the code of a web site that wants this signed, ...
///     qr mail alice@example.com      ... the link of the newest mail to a user, ...
///     qr card bob@example.com        ... the personal card of a user who is enrolled on another device, ...
///     qr setup "City library"        ... a setup for this kiosk by an operator of this name, ...
///     qr none                        ... or a wall
///     wait consent                   until the kiosk is at this stage, by its name in `KioskStage`
///     wait "Login successful"        until the screen says this
///     expect "Example"               the screen says this now
///     key 2583 enter                 digits, and enter clear back menu: one after the other, as a hand presses them
///     type alice@example.com         each character, as from a keyboard
///     number                         types the access number of a login page
///     code bob@example.com           types the code that the other device of this user makes
///     join alice@example.com 2583    the other device of this user registers with the code on the screen
///     activate alice@example.com     the person follows the link in the mail
///     browser alice@example.com      until the browser is logged in under this name
///     signature alice@example.com    until the web site has the signature of this user
///     screenshot consent             the screen, compared with the picture of this name
///
/// Texts in quotation marks cannot contain one. At most 64 KiB of UTF-8 text; lines end with LF or CR LF.
public struct FlowScript: Sendable {
    public struct Line: Sendable, Hashable {
        /// From 1.
        public let number: Int
        public let action: FlowAction
    }

    public static let maximumLength = 1 << 16

    public let lines: [Line]

    /// - Throws: what is wrong and in which line.
    public init(_ text: String) throws(FlowScriptError) {
        guard text.utf8.count <= FlowScript.maximumLength else { throw FlowScriptError(line: 0, "it is too long") }
        var lines: [Line] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let line = FlowScript.trimmed(line)
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            do throws(FlowActionError) { lines.append(Line(number: index + 1, action: try FlowAction(line))) } catch {
                throw FlowScriptError(line: index + 1, error.problem)
            }
        }
        self.lines = lines
    }

    static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}

/// A fault of a script.
public struct FlowScriptError: Error, Sendable, Hashable, CustomStringConvertible {
    /// From 1; 0 when it is the whole.
    public let line: Int
    public let problem: String

    init(line: Int, _ problem: String) {
        self.line = line
        self.problem = problem
    }

    public var description: String { line == 0 ? problem : "line \(line): \(problem)" }
}

/// A fault of a line.
struct FlowActionError: Error {
    let problem: String

    init(_ problem: String) { self.problem = problem }
}
