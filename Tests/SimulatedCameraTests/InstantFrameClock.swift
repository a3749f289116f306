// SPDX-License-Identifier: Apache-2.0

import Capture

/// A clock on which every frame is due at once.
struct InstantFrameClock: FrameClock {
    let now = Duration.zero

    func wait(_ duration: Duration) {}
}
