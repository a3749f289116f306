// SPDX-License-Identifier: Apache-2.0

// A kiosk's settings and identities as one file that only the holder of a key can read or write.
// It must not know what the files mean, nor where a kiosk has them.
