// SPDX-License-Identifier: Apache-2.0

// Identity store on SQLite (GRDB) with records sealed by AES-256-GCM: the real `IdentityStorage`, named
// `SQLiteIdentityStorage`. The key lives in a file of its own outside the database's directory. `docs/storage.md` lists
// what survives which accident. This module does not know the meaning of a record, only its owner.
