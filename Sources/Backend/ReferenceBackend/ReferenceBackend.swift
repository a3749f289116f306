// SPDX-License-Identifier: Apache-2.0

// Values that every file here uses, and the errors that a program catches.
@_exported public import BackendValues

// The other side of the wire: D-TAs, RPS and a relying-party web site, for demonstrations, tests and field work.
// It must not know MPinClient: the protocol is written twice on purpose, so that an error cannot cancel itself out.
// The relying party and the RPS ask each other what their services say, and nothing else (docs/decisions/0064).
// Folders: Authority (D-TAs and their secrets), Proof (passes and verdicts of every dialect), RPS, Platform,
// RelyingParty (site, pages, mail, logins for the OpenID provider), Operator, Messages (requests and replies), HTTP
// (listeners, routes, limits), Storage (the port for all that is kept, SQLite), Cryptography, Encoding. `Backend` puts
// them together.
