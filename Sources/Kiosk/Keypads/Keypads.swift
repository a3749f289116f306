// SPDX-License-Identifier: Apache-2.0

// Where digits come from: terminals, scripts, devices of the kernel's input system, matrices of keys at GPIO lines.
// Real `Keypad`s. It must not know what the keys are for.
