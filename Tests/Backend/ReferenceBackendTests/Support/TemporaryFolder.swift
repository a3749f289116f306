// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A folder that is removed with the value.
final class TemporaryFolder: Sendable {
    let path = FileManager.default.temporaryDirectory.path + "/backend-test-" + UUID().uuidString

    deinit {
        // A database that is being closed takes files of its own away, and removing stumbles over what has gone.
        for _ in 0..<100 {
            try? FileManager.default.removeItem(atPath: path)
            guard FileManager.default.fileExists(atPath: path) else { return }
            usleep(2000)
        }
    }
}
