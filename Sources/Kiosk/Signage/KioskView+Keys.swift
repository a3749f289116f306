// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

extension KioskView {
    /// The view for the connected keypads. Actions without a key on them are left out. A remark on NumLock is added
    /// when a PIN is asked for and a number pad may send arrows.
    public var atItsKeys: KioskView {
        var view = self
        view.actions.removeAll { keyNames.names(of: $0.key).isEmpty }
        if stage.asksForPIN, keyNames.needsNumLock { view.lines.append(Prompt(.numLockHelp)) }
        return view
    }

    /// The sign in place of a key's label on a drawn screen: the key that changes the letters shows letters.
    public static func lookSign(of action: ViewAction) -> String? { action.label.key == .actionLook ? "Aa" : nil }

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
    /// The names of a key, such as `Enter`, or `#/Enter` with several keypads.
    public func text(_ names: [KeyNames.Name]) -> String {
        names.map { $0.isHeld ? text(Prompt(.keyHeld, [.name: $0.text])) : $0.text }.joined(separator: "/")
    }
}
