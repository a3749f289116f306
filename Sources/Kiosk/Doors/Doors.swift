// SPDX-License-Identifier: Apache-2.0

// What follows a login at the kiosk itself: a strike at a GPIO line, a program, a webhook; how often it may be done,
// and the record of it. It must not know how a person is logged in, or whose GPIO chip it is: it gets a name, a line
// and a network through ports.
