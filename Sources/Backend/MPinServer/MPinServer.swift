// SPDX-License-Identifier: Apache-2.0

// The server side of the protocol and its rules. It knows no HTTP and no database: ReferenceBackend gets the answers of
// its routes from it, and BackendDatabases stores its data. It must not use MPinClient: the protocol is written twice
// on purpose, so that an error cannot cancel itself out.
//
// Folders: Messages (requests and replies), Authority (D-TAs and their secrets), RPS (the classic dialects), Platform
// (the dialects since 2018), Sessions (logins of pages), Proof (passes and verdicts), Rules (dialects, endpoints, who
// may register), Mails (notices to owners), Storage (the protocol for all stored data, with the one rule of counting).
