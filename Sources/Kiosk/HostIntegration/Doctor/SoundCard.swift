// SPDX-License-Identifier: Apache-2.0

/// The sound cards that play.
public struct SoundCard: Sendable, Equatable {
    /// The name that the driver gave it, or its number.
    public let name: String
    /// The value of `screen.speech-device`: its name in ALSA.
    public var device: String { "plughw:CARD=\(name)" }

    /// In the order of their numbers.
    public static func all(_ tree: SystemTree = SystemTree()) -> [SoundCard] {
        // Such as pcmC0D0p: device 0 of card 0, which plays.
        let players = tree.names("dev/snd") { $0.hasPrefix("pcmC") && $0.hasSuffix("p") }
        let numbers = Set(players.compactMap { Int($0.dropFirst("pcmC".count).prefix { $0 != "D" }) }).sorted()
        // The installed service sees no /proc/asound.
        return numbers.map { number in
            SoundCard(name: tree.line("sys/class/sound/card\(number)/id") ?? "\(number)")
        }
    }
}
