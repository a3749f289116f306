// SPDX-License-Identifier: Apache-2.0

// The SDK: discovery, wire dialects, user states, registration and authentication flows. It must not know a screen, a
// keypad, a camera, libcurl or SQLite: it defines the ports `HTTPTransport` and `IdentityStorage` and is given them.
// Flows are values without I/O; the actor `MPin` drives them. A dialect describes requests and replies and touches no
// flow.
