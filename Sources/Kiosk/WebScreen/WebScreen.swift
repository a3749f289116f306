// SPDX-License-Identifier: Apache-2.0

// The kiosk's screen as a page for a browser on the same machine: one document, server-sent events, and keys on the
// page where the operator switched them on. It must not know the machine that makes the views, nor the scanner that
// makes the pictures. It is reached from this machine only, and shows itself to the kiosk's own user and to a user who
// was given the token of this start.
