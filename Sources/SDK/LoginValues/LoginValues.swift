// SPDX-License-Identifier: Apache-2.0

// The values a login is made of: PIN, access code, origin, texts of login codes and verification links, trust policy.
// The bottom of the house: it imports nothing, not even Foundation, and does no I/O.
// A secret here wipes itself, compares in constant time and prints as `<redacted>`.
