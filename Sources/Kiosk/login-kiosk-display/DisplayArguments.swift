// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// The arguments of the process.
struct DisplayArguments: Equatable {
    static let usage = "usage: login-kiosk-display --card auto|CARD | --memory WIDTHxHEIGHT"

    enum Device: Equatable {
        /// The first card with a panel.
        case anyCard
        /// The path of a card.
        case card(String)
        /// A picture that nobody sees, for tests.
        case memory(width: Int, height: Int)
    }

    let device: Device

    init?(_ words: [String]) {
        guard words.count == 2 else { return nil }
        switch (words[0], words[1]) {
        case ("--card", "auto"): device = .anyCard
        case ("--card", let name) where !name.isEmpty:
            device = .card(name.contains("/") ? name : "\(Cards.folder)/\(name)")
        case ("--memory", let size):
            let sides = size.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
            guard sides.count == 2, let width = sides[0], let height = sides[1], Panel.sides.contains(width),
                Panel.sides.contains(height)
            else { return nil }
            device = .memory(width: width, height: height)
        default: return nil
        }
    }
}
