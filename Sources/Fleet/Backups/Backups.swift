// SPDX-License-Identifier: Apache-2.0

// A kiosk's settings and identities as one file that only the holder of a key can read or write. This module knows
// neither the meaning of the files nor where a kiosk keeps them.
