// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The number of rounds of tests that draw from a seed or kill at random moments.
public enum TestEffort {
    /// Returns the number of rounds: `usual`, multiplied by `LOGIN_KIOSK_TEST_FACTOR`, which `make test-long` sets.
    public static func rounds(_ usual: Int) -> Int {
        // Safe: the name is a literal, and the value is copied at once.
        guard let text = unsafe getenv("LOGIN_KIOSK_TEST_FACTOR") else { return usual }
        return usual * (unsafe Int(String(cString: text)) ?? 1)
    }
}
