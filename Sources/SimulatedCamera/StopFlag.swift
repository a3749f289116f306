// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Goes up once and stays.
final class StopFlag: Sendable {
    private let flag = Atomic(false)

    var isRaised: Bool { flag.load(ordering: .relaxed) }

    func raise() { flag.store(true, ordering: .relaxed) }
}
