// SPDX-License-Identifier: Apache-2.0

// The SDK: discovery, wire dialects, user states, registration and authentication flows. It knows no screen, keypad or
// camera, and neither libcurl nor SQLite: it defines the ports `HTTPTransport` and `IdentityStorage`, and callers
// provide them. Flows are values without I/O; the actor `MPin` drives them. A dialect describes requests and replies
// and touches no flow.
