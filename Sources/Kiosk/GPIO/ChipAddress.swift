// SPDX-License-Identifier: Apache-2.0

/// The address of a GPIO chip.
public enum ChipAddress: Hashable, Sendable {
    /// The chip of a Raspberry Pi's pin header, or the only chip with all named lines.
    case usual
    /// The label from its driver; chips keep their labels when their numbers change.
    case label(String)
    /// The path of its device file.
    case path(String)

    /// The chips of the pin headers of the Raspberry Pi 5, 4, and 3 and earlier.
    static let usualLabels = ["pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835"]

    /// A text that begins with `/` is a path, any other a label of at most 31 bytes.
    public init?(_ text: some StringProtocol) {
        guard !text.isEmpty else { return nil }
        if text.hasPrefix("/") {
            self = .path(String(text))
        } else {
            guard text.utf8.count <= 31 else { return nil }
            self = .label(String(text))
        }
    }
}

extension ChipAddress: CustomStringConvertible {
    public var description: String {
        switch self {
        case .usual: "the pin header's GPIO chip"
        case .label(let label): label
        case .path(let path): path
        }
    }
}
