// SPDX-License-Identifier: Apache-2.0

// Known answers: reads the JSON files of a directory of vectors and compares every value in them with what MPinCrypto
// computes. The command `login-kiosk-dev vectors` and the tests of MPinCrypto run the same checks.
// It must not know how MPinCrypto works inside: encoded values in, encoded values out.
// A file is known by its name; which case of it is good or bad is read from the case, never from its position.
