// SPDX-License-Identifier: Apache-2.0

/// The choice of a keypad: the value of `--keypad`, and of a line of the configuration.
///
///     console                       the terminal
///     script:FILE                   keys from a file
///     evdev:SELECTOR                an input device, by vendor:product, path, phys= or name (``InputSelector``)
///     touch[:SELECTOR]              a touch panel, the first or the selected one
///     gpio:NAME=VALUE,...           a matrix of keys at GPIO lines (``MatrixSettings``)
///
/// `gpio` needs `rows` and `columns`: lines by name or number, separated by `/`. The others are `chip` (a label, or
/// the path of the device file), `layout` (``MatrixLayout``), `active` (`low` or `high`), `idle` (`switched` or
/// `open`) and `settle` (microseconds).
public enum KeypadSpecification: Hashable, Sendable {
    case console
    case script(path: String)
    case evdev(InputSelector)
    /// Nil is the first touch panel.
    case touch(InputSelector?)
    case gpio(MatrixSettings)

    /// - Throws: the fault in the text, and the right form.
    public init(_ text: String) throws(KeypadSpecificationError) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let rest = parts.count == 2 ? parts[1] : nil
        switch (parts[0], rest) {
        case ("console", nil): self = .console
        case ("script", let path?) where !path.isEmpty: self = .script(path: String(path))
        case ("evdev", let text?):
            guard let selector = InputSelector(text) else { throw KeypadSpecificationError(.noSelector, text) }
            self = .evdev(selector)
        case ("touch", nil): self = .touch(nil)
        case ("touch", let text?):
            guard let selector = InputSelector(text) else { throw KeypadSpecificationError(.noSelector, text) }
            self = .touch(selector)
        case ("gpio", let text?): self = .gpio(try MatrixSettings(fields: text))
        default: throw KeypadSpecificationError(.unknownKind, text)
        }
    }
}

extension KeypadSpecification: CustomStringConvertible {
    public var description: String {
        switch self {
        case .console: "console"
        case .script(let path): "script:\(path)"
        case .evdev(let selector): "evdev:\(selector)"
        case .touch(let selector): selector.map { "touch:\($0)" } ?? "touch"
        case .gpio(let settings): "gpio:\(settings)"
        }
    }
}
