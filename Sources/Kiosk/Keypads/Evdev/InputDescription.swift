// SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// An input device of this machine that can be a keypad or is a touch panel.
public struct InputDescription: Sendable {
    public let node: String
    /// Names that stay the same after a restart: links, the best first.
    public let stableNames: [String]
    /// Nil when it cannot be read.
    public let identity: InputIdentity?
    /// The reason why it cannot be used.
    public let problem: String?
    public let isTouchPanel: Bool

    /// The value for `--keypad` that names it.
    public var specification: String { "\(isTouchPanel ? "touch" : "evdev"):\(stableNames.first ?? node)" }
}

extension InputDescription {
    /// All input devices with digits and all touch panels, by their nodes.
    public static func all() -> [InputDescription] { all(KernelInputSystem()) }

    static func all(_ system: any InputSystem) -> [InputDescription] {
        system.nodes().compactMap { node in
            let number: Int32
            do throws(SystemFailure) { number = try system.open(node) } catch {
                return InputDescription(
                    node: node, stableNames: system.links(to: node), identity: nil,
                    problem: "cannot be opened (\(error.reason)); add the user to the group that has it, usually input",
                    isTouchPanel: false)
            }
            defer { system.close(number) }
            guard let identity = try? system.identity(number), let keys = try? system.knownKeys(number) else {
                return nil
            }
            let isTouchPanel = (try? system.touchAxes(number, keys)) != nil
            guard isTouchPanel || InputKeyMap.hasDigits(keys) else { return nil }
            return InputDescription(
                node: node, stableNames: system.links(to: node), identity: identity, problem: nil,
                isTouchPanel: isTouchPanel)
        }
    }
}
