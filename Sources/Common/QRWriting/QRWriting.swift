// SPDX-License-Identifier: Apache-2.0

// Texts as QR codes: the codes of login pages, and of cards.
// It must not know what the text means, nor who looks at it.
