// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// A touch panel without a picture, for tests of the hardware: it is divided into three columns and four rows like a
/// telephone's keys.
public struct BarePanel: TouchedScreen {
    public let isShown = true
    public let touchKeys: TouchKeys?

    public init() {
        let signs: [Key] = (1...9).map { .digit($0) } + [.back, .digit(0), .enter]
        let keys = signs.enumerated().map { index, key in
            TouchKey(
                KeyPlace(.ofView(index), x: index % 3 * 100, y: index / 3 * 100, width: 100, height: 100),
                .press(key, label: nil), since: .zero)
        }
        let view = KioskView(.scan, .ready, title: Prompt(.scanTitle))
        touchKeys = TouchKeys(width: 300, height: 400, rotation: .none, subject: KeySubject(view), keys: keys)
    }

    public func touchPanelChanged(isThere: Bool) {}
    public func touch(_ key: TouchKey?) {}
    public func showOtherKeyboard() {}
    public func onPanelChange(_ call: (@Sendable () -> Void)?) {}
}
