// SPDX-License-Identifier: Apache-2.0

// The values a login is made of: PIN, access code, origin, texts of login codes and verification links, trust policy.
// It imports Encoding alone, not even Foundation, and does no I/O.
// A secret here wipes itself, compares in constant time and prints as `<redacted>`.

// Calls of the SDK take and return secret bytes, and Encoding is not a product of the package.
@_exported public import class Encoding.SecretBytes
@_exported public import enum Encoding.SecretMemory
