// SPDX-License-Identifier: Apache-2.0

// The screens for people: renders `KioskView` on a console screen. This module does not know the machine that made the
// view.
