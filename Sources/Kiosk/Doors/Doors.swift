// SPDX-License-Identifier: Apache-2.0

// The action after a login at the kiosk itself: a strike at a GPIO line, a program, or a webhook; its limits and its
// record. This module knows neither how a person logs in nor the GPIO chip: it gets a name, a line and a network
// through ports.
