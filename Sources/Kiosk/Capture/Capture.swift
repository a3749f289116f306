// SPDX-License-Identifier: Apache-2.0

// Frame sources: cameras, picture files, folders, Y4M streams.
// It must not know what a QR code is. FoundationEssentials at most: this is linked into the scanner's process.
