// SPDX-License-Identifier: Apache-2.0

/// How a view feels: what a light or a buzzer shows of it. It depends on the stage alone, never on a digit.
public enum Tone: String, Sendable, CaseIterable {
    case ready, working, ask, success, failure, trouble
}
