// SPDX-License-Identifier: Apache-2.0

// What a person sees: `KioskView` rendered on a console screen.
// It must not know the machine that made the view.
