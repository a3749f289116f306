// SPDX-License-Identifier: Apache-2.0

// The identities of people who log in at any kiosk of a fleet: in a PostgreSQL database, sealed with the fleet's key,
// which the database never sees. docs/storage.md, docs/decisions/0081-shared-identities.md
