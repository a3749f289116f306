// SPDX-License-Identifier: Apache-2.0

// The kiosk's screen as a page for a browser on the same machine: one document, server-sent events, and keys if the
// operator switched them on. This module knows neither the machine that makes the views nor the scanner that makes the
// pictures. Only this machine can reach it, and it shows itself only to the kiosk's own user and to users who were
// given the token of this start.
