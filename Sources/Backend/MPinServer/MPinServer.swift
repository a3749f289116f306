// SPDX-License-Identifier: Apache-2.0

// The server side of the protocol and its rules. It knows no HTTP and no database: ReferenceBackend asks it for what
// its routes answer, and BackendDatabases keeps what it remembers. It must not use MPinClient: the protocol is written
// twice on purpose, so that an error cannot cancel itself out.
//
// Folders: Messages (requests and replies), Authority (D-TAs and their secrets), RPS (the classic dialects), Platform
// (the dialects since 2018), Sessions (logins of pages), Proof (passes and verdicts), Rules (dialects, places, who may
// register), Mails (what owners are told), Storage (the protocol for all that is stored, counting once).
