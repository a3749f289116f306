// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinCrypto

/// The first D-TA's share and where the second one is.
struct FirstSecretShare {
    let share: ClientSecretShare
    let secondShareURL: WebAddress
}
