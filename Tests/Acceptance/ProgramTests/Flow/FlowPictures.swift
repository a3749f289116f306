// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The manual's pictures: the screen as text. A flow with another screen fails, unless `LOGIN_KIOSK_PICTURES=new`
/// takes the pictures again.
struct FlowPictures: Sendable {
    let folder: URL
    let isTakingNew = ProcessInfo.processInfo.environment["LOGIN_KIOSK_PICTURES"] == "new"

    func compare(_ screen: String, _ name: String, _ place: String) {
        let file = folder.appending(path: "\(name).txt")
        if isTakingNew {
            #expect(throws: Never.self, "\(place)") { try Data((screen + "\n").utf8).write(to: file, options: .atomic) }
        } else {
            let known = try? String(contentsOf: file, encoding: .utf8)
            #expect(known == screen + "\n", "\(place): \(file.lastPathComponent)")
        }
    }
}
