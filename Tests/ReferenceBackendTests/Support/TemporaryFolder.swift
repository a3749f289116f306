// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A folder that is removed with the value.
final class TemporaryFolder: Sendable {
    let path = FileManager.default.temporaryDirectory.path + "/backend-test-" + UUID().uuidString

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
