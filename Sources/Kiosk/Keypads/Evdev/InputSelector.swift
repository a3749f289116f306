// SPDX-License-Identifier: Apache-2.0

/// Selects the input devices that are keypads. No other device is ever read: plugging in a device does not make it a
/// keypad.
///
///     1a2c:4c5e                                vendor and product, in hexadecimal
///     /dev/input/by-path/...-event-kbd         the port that it is plugged in to; another device cannot pose as it
///     phys=usb-3f980000.usb-1.3/input0         the same in the kernel's words
///     name=USB Number Pad                      its name, exactly; `name=` may be left out
public enum InputSelector: Hashable, Sendable {
    case product(vendor: UInt16, product: UInt16)
    case path(String)
    case place(String)
    case named(String)

    /// - Returns: nil for an empty text or name, and for a path outside `/dev/input`.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        if parts.count == 2, let vendor = InputSelector.number(parts[0]), let product = InputSelector.number(parts[1]) {
            self = .product(vendor: vendor, product: product)
        } else if text.hasPrefix("/") {
            guard text.hasPrefix("/dev/input/"), !text.contains("/../") else { return nil }
            self = .path(String(text))
        } else if text.hasPrefix("phys="), text.utf8.count > 5 {
            self = .place(String(text.dropFirst(5)))
        } else {
            let name = text.hasPrefix("name=") ? String(text.dropFirst(5)) : String(text)
            guard !name.isEmpty, name != "phys=" else { return nil }
            self = .named(name)
        }
    }

    private static func number(_ text: some StringProtocol) -> UInt16? {
        text.utf8.count == 4 && text.first != "+" ? UInt16(text, radix: 16) : nil
    }

    /// - Parameter isAt: whether a link or node leads to the device.
    func selects(_ identity: InputIdentity, isAt: (String) -> Bool) -> Bool {
        switch self {
        case .product(let vendor, let product): identity.vendor == vendor && identity.product == product
        case .path(let path): isAt(path)
        case .place(let place): identity.place == place
        case .named(let name): identity.name == name
        }
    }
}

extension InputSelector: CustomStringConvertible {
    public var description: String {
        switch self {
        case .product(let vendor, let product): InputIdentity.product(vendor, product)
        case .path(let path): path
        case .place(let place): "phys=\(place)"
        case .named(let name): "name=\(name)"
        }
    }
}
