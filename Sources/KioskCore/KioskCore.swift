// SPDX-License-Identifier: Apache-2.0

// The kiosk without the world: `KioskMachine`, views, prompt keys, the ports to hardware.
// It must not know a clock, a thread, a log, the network or a secret: events in, actions out.
// No Foundation: the scanner's process stands on these types too.
