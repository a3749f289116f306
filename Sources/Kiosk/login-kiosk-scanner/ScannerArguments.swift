// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// The arguments of the process.
struct ScannerArguments: Equatable {
    static let usage = "usage: login-kiosk-scanner --source SOURCE [--known CAMERA] [--paused] [--give-back CONTROLS]"

    let source: String
    /// The camera of an earlier process, as named in `health`.
    private(set) var known: String?
    /// Controls that an earlier process took from the camera's own regulation.
    private(set) var owed: [ControlSetting] = []
    /// Whether to open the source only with the first `resume`.
    private(set) var isPaused = false

    init?(_ words: [String]) {
        var source: String?
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "--source" where !rest.isEmpty: source = rest.removeFirst()
            case "--known" where !rest.isEmpty: known = rest.removeFirst()
            case "--paused": isPaused = true
            case "--give-back" where !rest.isEmpty:
                guard let settings = [ControlSetting](argument: rest.removeFirst()) else { return nil }
                owed = settings
            default: return nil
            }
        }
        guard let source else { return nil }
        self.source = source
    }
}
