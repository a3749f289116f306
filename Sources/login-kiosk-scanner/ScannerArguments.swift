// SPDX-License-Identifier: Apache-2.0

/// What the process is started with.
struct ScannerArguments: Equatable {
    static let usage = "usage: login-kiosk-scanner --source SOURCE [--known CAMERA]"

    let source: String
    /// The camera that an earlier process filmed, as it was named in `health`.
    let known: String?

    init?(_ words: [String]) {
        switch words.count {
        case 2 where words[0] == "--source": known = nil
        case 4 where words[0] == "--source" && words[2] == "--known": known = words[3]
        default: return nil
        }
        source = words[1]
    }
}
