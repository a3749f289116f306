// SPDX-License-Identifier: Apache-2.0

// Known answers: reads the JSON files of a directory of vectors and compares every value with MPinCrypto's results.
// `login-kiosk-dev vectors` and the tests of MPinCrypto run the same checks. It uses encoded values only, and knows
// nothing of MPinCrypto's inside. It identifies a file by name, and reads from each case whether it is good or bad.
