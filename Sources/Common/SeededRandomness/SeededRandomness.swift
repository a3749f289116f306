// SPDX-License-Identifier: Apache-2.0

// Random numbers that a seed repeats: for tests, whose failures can then be reproduced, and for the simulated camera,
// which then films the same scene the same way. Not for anything that must be unpredictable.
