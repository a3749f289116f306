// SPDX-License-Identifier: Apache-2.0

/// A second factor beside the PIN, `pin1` or `nfc` in older SDKs. There is none: this type has no value, so that only
/// nil can be given. No public source tells how a second factor enters the arithmetic, and a guess would make tokens
/// that no other person can use.
public enum SecondFactor: Sendable {}
