// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// The device that the arguments of the process name.
enum DisplayDevice: Equatable {
    /// The path of a card, and the kernel's name of its connector, such as `HDMI-A-1`.
    case panel(card: String, connector: String)
    /// A picture that nobody sees, for tests.
    case memory(width: Int, height: Int)

    static let usage = "usage: login-kiosk-display --panel CARD-CONNECTOR | --memory WIDTHxHEIGHT"

    init?(_ words: [String]) {
        guard words.count == 2 else { return nil }
        switch (words[0], words[1]) {
        case ("--panel", let name):
            let card = name.prefix { $0 != "-" }
            let connector = name.dropFirst(card.count + 1)
            guard card.hasPrefix("card"), UInt8(card.dropFirst(4)) != nil, !connector.isEmpty else { return nil }
            self = .panel(card: "\(DRMCard.folder)/\(card)", connector: String(connector))
        case ("--memory", let size):
            let sides = size.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
            guard sides.count == 2, let width = sides[0], let height = sides[1], Panel.sides.contains(width),
                Panel.sides.contains(height)
            else { return nil }
            self = .memory(width: width, height: height)
        default: return nil
        }
    }
}
