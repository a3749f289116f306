// SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// An input device of this machine that can be a keypad.
public struct InputDescription: Sendable {
    public let node: String
    /// Names that stay the same after a restart: links, the best first.
    public let stableNames: [String]
    /// Nil when it cannot be read.
    public let identity: InputIdentity?
    /// Why it cannot be used.
    public let problem: String?
}

extension InputDescription {
    /// All input devices with digits, by their nodes.
    public static func all() -> [InputDescription] { all(KernelInputSystem()) }

    static func all(_ system: any InputSystem) -> [InputDescription] {
        system.nodes().compactMap { node in
            let number: Int32
            do throws(SystemFailure) { number = try system.open(node) } catch {
                return InputDescription(
                    node: node, stableNames: system.links(to: node), identity: nil,
                    problem: "cannot be opened (\(error.reason)); add the user to the group that has it, usually input")
            }
            defer { system.close(number) }
            guard let identity = try? system.identity(number), let keys = try? system.knownKeys(number),
                InputKeyMap.hasDigits(keys)
            else { return nil }
            return InputDescription(
                node: node, stableNames: system.links(to: node), identity: identity, problem: nil)
        }
    }
}
