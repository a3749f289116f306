// SPDX-License-Identifier: Apache-2.0

/// A fault in a script of keys.
public struct KeyScriptError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: String, Hashable, Sendable {
        case tooLong, unknownAction, nothingToType, notASCII, textBehindKey, notSeconds
    }

    public let code: Code
    /// The line from 1; nil for the whole script.
    public let line: Int?

    init(_ code: Code, line: Int?) {
        self.code = code
        self.line = line
    }

    public var description: String {
        let place = line.map { "line \($0): " } ?? ""
        return switch code {
        case .tooLong: place + "the script is too long: at most 1 MiB and 100000 keys"
        case .unknownAction: place + "expected one of: type TEXT, enter, clear, back, menu, wait SECONDS"
        case .nothingToType: place + "type needs a text behind it"
        case .notASCII: place + "only printable ASCII can be typed"
        case .textBehindKey: place + "nothing may stand behind the name of a key"
        case .notSeconds: place + "wait needs seconds from 0 to 3600, for example 2.5"
        }
    }
}
