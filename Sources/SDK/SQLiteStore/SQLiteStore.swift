// SPDX-License-Identifier: Apache-2.0

// Identity store on SQLite (GRDB) whose records are sealed with AES-256-GCM: the real `IdentityStorage`, named
// `SQLiteIdentityStorage`. The key lives in a file of its own outside the database's directory. `docs/storage.md` tells
// what survives what. It must not know what a record means, only whose it is.
