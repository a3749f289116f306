// SPDX-License-Identifier: Apache-2.0

import KioskPorts

extension ScannerHint {
    /// The sentence for the person who holds the code.
    var promptKey: PromptKey {
        switch self {
        case .tooDark: .hintTooDark
        case .tooBright: .hintTooBright
        case .blurred: .hintBlurred
        case .tooSmall: .hintTooSmall
        case .unreadable: .hintUnreadable
        case .mirrored: .hintMirrored
        }
    }
}
