// SPDX-License-Identifier: Apache-2.0

// Texts as QR codes: for login pages and cards. This module does not know the meaning of a text, nor its readers.
