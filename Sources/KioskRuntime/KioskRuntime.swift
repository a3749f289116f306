// SPDX-License-Identifier: Apache-2.0

// Carries the actions of `KioskMachine` out on the ports, and owns every task, timer and secret in between.
// It joins KioskMachine (what should happen) and MPinClient (how it is done); it knows no particular hardware.
