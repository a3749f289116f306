// SPDX-License-Identifier: Apache-2.0

// Texts as QR codes: the codes of login pages and of cards that operators print.
// It must not know what the text means, nor whether it becomes a picture, a drawing or characters.
