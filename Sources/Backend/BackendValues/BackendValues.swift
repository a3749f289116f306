// SPDX-License-Identifier: Apache-2.0

// Texts, digests and seals that every file of the backend uses.
@_exported public import Encoding
@_exported public import Sealing
