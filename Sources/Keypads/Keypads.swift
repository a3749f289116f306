// SPDX-License-Identifier: Apache-2.0

// Where digits come from: the console today. Real `Keypad`s.
// It must not know what the keys are for.
