// SPDX-License-Identifier: Apache-2.0

// The values that a login is made of: PIN, access code, origin, texts of login codes and verification links, trust
// policy. The lowest module of the SDK: it imports nothing, not even Foundation, and does no I/O. Its secrets wipe
// themselves, compare in constant time and print as `<redacted>`.
