// SPDX-License-Identifier: Apache-2.0

/// A fault in the text that names a keypad.
public struct KeypadSpecificationError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: Hashable, Sendable {
        case unknownKind, noSelector
        /// A part of `gpio:` that is not `NAME=VALUE`, has an unknown name, or appears twice.
        case unknownField
        case badValue
        case linesMissing, linesDoNotFit
    }

    public let code: Code
    /// The faulty part of the text.
    public let part: String

    init(_ code: Code, _ part: some StringProtocol) {
        self.code = code
        self.part = String(part)
    }

    public var description: String {
        switch code {
        case .unknownKind:
            "'\(part)': expected console, script:FILE, evdev:SELECTOR, touch or gpio:rows=...,columns=..."
        case .noSelector:
            "'\(part)' names no input device: expected VENDOR:PRODUCT in hexadecimal, a path below /dev/input, "
                + "phys=PLACE or name=NAME"
        case .unknownField:
            "'\(part)': expected one each of rows=, columns=, chip=, layout=, active=, idle=, settle="
        case .badValue:
            "'\(part)' has a value that does not fit: lines apart by /, layout like 123/456/789/*0#, "
                + "active=low or high, idle=switched or open, settle=10 to 5000 microseconds"
        case .linesMissing: "'\(part)': rows= and columns= are needed, for example rows=5/6/13/19,columns=12/16/20"
        case .linesDoNotFit:
            "'\(part)': give each line once, and a layout with as many rows and columns as there are lines; "
                + "pads other than 4 x 3 and 4 x 4 need one"
        }
    }
}
