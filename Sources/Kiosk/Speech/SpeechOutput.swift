// SPDX-License-Identifier: Apache-2.0

/// Where speech is heard.
public enum SpeechOutput: String, Sendable, CaseIterable {
    /// By the person alone.
    case headphones
    /// By everybody near the kiosk: users, documents, codes and typed letters are not spoken.
    case loudspeaker
}
