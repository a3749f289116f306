// SPDX-License-Identifier: Apache-2.0

// The values a login is made of: PIN, access code, origin, texts of login codes and verification links, trust policy.
// It imports Encoding alone, not even Foundation, and does no I/O.
// A secret here wipes itself, compares in constant time and prints as `<redacted>`.

// A program that uses the SDK names secret bytes without a module for them.
@_exported public import class Encoding.SecretBytes
@_exported public import enum Encoding.SecretMemory
