// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// The person who sets a kiosk up: at a terminal, or at the kiosk's own panel (``SetupPanel``).
public protocol SetupDialogue: Sendable {
    /// Whether the person presses keys of a kiosk. At a terminal the person types lines, with any sign.
    var hasKioskKeys: Bool { get }

    /// Takes another language, in BCP 47.
    func speak(_ language: String) async

    func begin(_ title: PromptKey, _ number: Int, of count: Int) async throws

    func say(_ sentence: Prompt) async throws

    func ask(_ question: SetupQuestion) async throws -> FirstStart.Input

    /// Waits for Enter while the person tries a device, which reports by the calls below.
    ///
    /// - Parameter isCamera: whether pictures come.
    func watch(isCamera: Bool) async throws

    /// Shows a finding, once.
    func note(_ finding: Prompt) async throws

    /// Shows the camera's picture.
    ///
    /// - Parameter focus: in percent.
    func show(_ picture: PreviewPicture, focus: Int) async throws
}

public enum SetupQuestion: Sendable, Equatable {
    /// Whether to go on; the sentence asks whether something is right.
    case confirmation(PromptKey?)
    /// A choice of one of the offers; Enter keeps the current one.
    case offers([Prompt], current: Int?)
    case text
    /// Each digit of the kiosk's own keys.
    case digits
    /// Whether to write or to join: answered by ``FirstStart/agreement``.
    case agreement(PromptKey)
}

/// The person has closed the terminal, left where nothing was asked, or gone away.
public struct SetupClosed: Error { public init() {} }
