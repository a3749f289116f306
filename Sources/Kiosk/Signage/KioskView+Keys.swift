// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

extension KioskView {
    /// The view at the keypads that there are: without the actions that no key of theirs does, and with a word on NumLock
    /// where a PIN is asked and a number pad may send arrows.
    public var atItsKeys: KioskView {
        var view = self
        view.actions.removeAll { keyNames.names(of: $0.key).isEmpty }
        if stage.asksForPIN, keyNames.needsNumLock { view.lines.append(Prompt(.numLockHelp)) }
        return view
    }

    /// The meaning of a key, for its colour. Leaving something as it is has none.
    public enum KeyMeaning: String, Sendable {
        case yes, no, clear
        /// Something is deleted.
        case danger
    }

    public func meaning(of action: ViewAction) -> KeyMeaning? {
        let isDeletion = stage == .resetQuestion || lines.contains { $0.key == .deletePurpose }
        switch (action.key, action.label.key) {
        case (_, .actionDelete): return .danger
        case (.enter, _): return isDeletion ? .danger : .yes
        case (.back, .actionNotMe), (.back, .actionCancel): return isDeletion ? nil : .no
        case (.clear, _): return .clear
        default: return nil
        }
    }
}

extension PromptCatalogue {
    /// The names of a key, such as `Enter`, or `#/Enter` where there are several keypads.
    public func text(_ names: [KeyNames.Name]) -> String {
        names.map { $0.isHeld ? text(Prompt(.keyHeld, [.name: $0.text])) : $0.text }.joined(separator: "/")
    }
}
