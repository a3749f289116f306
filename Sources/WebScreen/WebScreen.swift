// SPDX-License-Identifier: Apache-2.0

// The kiosk's screen as a page for a browser on the same machine: one document, server-sent events, and keys on the page
// where somebody switched them on.
// It must not know the machine that makes the views, nor the scanner that makes the pictures; and nobody on a network may
// reach it.
