// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A folder that is deleted with this object.
package final class TemporaryFolder: Sendable {
    package let path = FileManager.default.temporaryDirectory.path + "/backend-test-" + UUID().uuidString

    package init() {}

    deinit {
        // A database that is closing deletes files itself, which can make the removal fail.
        for _ in 0..<100 {
            try? FileManager.default.removeItem(atPath: path)
            guard FileManager.default.fileExists(atPath: path) else { return }
            usleep(2000)
        }
    }
}
