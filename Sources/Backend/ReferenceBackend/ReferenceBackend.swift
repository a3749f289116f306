// SPDX-License-Identifier: Apache-2.0

// Common values, and the errors that a program catches.
@_exported public import BackendValues

// The server side of the protocol: D-TAs, RPS and a relying party's web site, for demonstrations, tests and field
// work. It must not use MPinClient: the protocol is written twice on purpose, so that an error cannot cancel itself
// out. The relying party and the RPS use each other only through their service protocols (docs/decisions/0064).
// Folders: Authority (D-TAs and their secrets), Proof (passes and verdicts of every dialect), RPS, Platform,
// RelyingParty (site, pages, mail, logins for the OpenID provider), Operator, Messages (requests and replies), HTTP
// (listeners, routes, limits), Storage (the protocol for all that is stored, SQLite), Cryptography, Encoding.
// `Backend` puts them together.
