// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// A whole interaction at a kiosk, line by line.
///
///     # Comments and empty lines do nothing.
///     service trust-2025             the backend's dialect, in the first line; otherwise milagro
///     user alice@example.com 2583    a person who is registered before the kiosk starts
///     elsewhere bob@example.com 2583 a person who is registered on another device
///     document loan.txt "A loan"     a file beside the script that is ready for signing, before the kiosk starts
///     fleet                          one fleet key for the kiosk and the other devices, before the kiosk starts
///     new                            a kiosk in its delivered state that waits for a profile, before the kiosk starts
///     qr login                       the camera sees the code of the login page, ...
///     qr "mailto:a@example.com"      ... a code with this text, ...
///     qr signing "Pay five pounds"   ... the code of a web site that asks for this signature, ...
///     qr mail alice@example.com      ... the link of the newest mail to a user, ...
///     qr card bob@example.com        ... the personal card of a user who is registered on another device, ...
///     qr profile "City library"      ... a profile for this kiosk by an operator of this name, ...
///     qr none                        ... or a wall
///     wait consent                   until the kiosk is at this stage, by its name in `KioskStage`
///     wait "Login successful"        until the screen shows this
///     expect "Example"               the screen shows this now
///     key 2583 enter                 digits, and enter clear back menu: one after another, at a person's pace
///     type alice@example.com         each character, as from a keyboard
///     number                         types the access number of a login page
///     code bob@example.com           types the code that this user's other device makes
///     mailed bob@example.com         types the code of the newest mail to this user
///     join alice@example.com 2583    registers this user's other device with the code on the screen
///     activate alice@example.com     follows the link in the mail
///     browser alice@example.com      until the browser is logged in under this name
///     signature alice@example.com    until the web site has this user's signature
///     screenshot consent             compares the screen with the picture of this name
///
/// Texts in quotation marks cannot contain one. At most 64 KiB of UTF-8 text. Lines end with LF or CR LF.
public struct FlowScript: Sendable {
    public struct Line: Sendable, Hashable {
        /// The line's number, from 1.
        public let number: Int
        public let action: FlowAction
    }

    public static let maximumLength = 1 << 16

    public let lines: [Line]

    /// - Throws: the fault and its line.
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
    /// The line's number, from 1; 0 for the whole script.
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
