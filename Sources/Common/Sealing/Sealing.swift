// SPDX-License-Identifier: Apache-2.0

// Bytes that only the holder of a key can read or write, digests, and keys derived from a key.
// It must not know what they are, nor where they lie.
