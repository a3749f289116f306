// SPDX-License-Identifier: Apache-2.0

/// Speech: its program and a sound card.
public enum SpeechCheck {
    public static let program = "espeak-ng"

    /// - Parameters:
    ///   - isWanted: whether a setting offers speech.
    ///   - program: the path of the program; nil when it is not installed.
    /// - Returns: nil when it is not wanted.
    public static func result(_ tree: SystemTree, isWanted: Bool, program: String?) -> CheckResult? {
        guard isWanted else { return nil }
        guard program != nil else {
            return .warning(
                "\(Self.program) is not installed, so nothing is heard", remedy: "apt-get install \(Self.program)")
        }
        let cards = SoundCard.all(tree).map(\.name)
        guard !cards.isEmpty else {
            return .warning(
                "there is no sound card that plays, so nothing is heard",
                remedy: "connect one; on a Raspberry Pi see dtparam=audio=on in config.txt")
        }
        return .ok("\(Self.program) is installed; sound cards: \(cards.joined(separator: ", "))")
    }
}
