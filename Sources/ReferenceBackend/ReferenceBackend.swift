// SPDX-License-Identifier: Apache-2.0

// The other side of the wire: D-TAs, RPS and a relying-party web site, for demonstrations, tests and field work.
// It must not know MPinClient: the protocol is written twice on purpose, so that an error cannot cancel itself out.
// The relying party talks to the RPS only over the private listener.
// Folders: Authority (D-TAs and their secrets), RPS, Platform, OpenID (provider), RelyingParty (site, pages, mail), Operator,
// HTTP (listeners, routes, limits), Tokens, Storage (SQLite, bounded tables), Cryptography, Encoding, Time. `Backend` puts
// them together.
