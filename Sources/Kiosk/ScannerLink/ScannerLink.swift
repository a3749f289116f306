// SPDX-License-Identifier: Apache-2.0

// The parent's end of the pipe to the scanner's process: starts it, hears it, restarts it.
// It must not know what a symbol is used for, nor decode a picture itself: that is why there is another process.
