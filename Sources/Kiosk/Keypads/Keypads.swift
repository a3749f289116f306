// SPDX-License-Identifier: Apache-2.0

// Sources of keys: terminals, scripts, devices of the kernel's input system, matrices of keys at GPIO lines. All are
// real `Keypad`s. This module does not know the purpose of the keys.
