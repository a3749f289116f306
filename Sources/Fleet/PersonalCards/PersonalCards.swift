// SPDX-License-Identifier: Apache-2.0

// A person's identity on paper: its text, and the fleet's key that seals it.
// It moves an identity's record and must not know what is in it.
