// SPDX-License-Identifier: Apache-2.0

// A person's identity on paper: its text, and the fleet key that seals it. This module moves an identity's record
// without knowing its content.
