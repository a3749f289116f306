// SPDX-License-Identifier: Apache-2.0

// The kiosk's end of the pipe to the display's process: starts it, sends it views in words, restarts it. This module
// draws nothing itself.
