// SPDX-License-Identifier: Apache-2.0

import Glibc

/// How much a test tries that draws from a seed or kills at any moment.
public enum TestEffort {
    /// Returns the number of rounds: `usual`, or as many times that as `LOGIN_KIOSK_TEST_FACTOR` says, which
    /// `make test-long` sets.
    public static func rounds(_ usual: Int) -> Int {
        // Safe: the name is a literal, and the value is copied at once.
        guard let text = unsafe getenv("LOGIN_KIOSK_TEST_FACTOR") else { return usual }
        return usual * (unsafe Int(String(cString: text)) ?? 1)
    }
}
