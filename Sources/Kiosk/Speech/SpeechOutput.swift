// SPDX-License-Identifier: Apache-2.0

/// The place where speech is heard.
public enum SpeechOutput: String, Sendable, CaseIterable {
    /// Only the person hears it.
    case headphones
    /// Everybody near the kiosk hears it: users, documents, codes and typed letters are not spoken.
    case loudspeaker
}
