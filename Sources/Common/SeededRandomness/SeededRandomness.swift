// SPDX-License-Identifier: Apache-2.0

// Random numbers that come again with the same seed: for tests, whose failures can then be repeated, and for the
// simulated camera, which films the same scene the same way.
// Nothing that must be unpredictable may stand on it.
