// SPDX-License-Identifier: Apache-2.0

// The parent's end of the pipe to the scanner's process: starts it, reads it, restarts it. This module does not know
// the use of a symbol, and decodes no picture itself: that is why there is another process.
